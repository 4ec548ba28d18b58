import {handler} from '../http/handler.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';

export const getLinkifiers = handler('getLinkifiers', ({services}) => ({linkifiers: listLinkifiers(services.store)}));

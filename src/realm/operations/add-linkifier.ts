import {handler} from '../http/handler.js';
import {addLinkifier as add} from '../linkifiers/linkifiers.js';

export const addLinkifier = handler('addLinkifier', ({services, parameters}) => ({id: add(services, parameters)}));

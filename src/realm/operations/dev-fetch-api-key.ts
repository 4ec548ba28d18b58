import {handler} from '../http/handler.js';
import {logIn} from '../people/log-in.js';

export const devFetchApiKey = handler('devFetchApiKey', ({services: {store}, parameters}) =>
	logIn(store, parameters.username),
);

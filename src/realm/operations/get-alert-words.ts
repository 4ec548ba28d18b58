import {handler} from '../http/handler.js';
import {listAlertWords} from '../people/alert-words.js';

export const getAlertWords = handler('getAlertWords', ({services: {store}, caller}) => ({
	alert_words: listAlertWords(store, caller),
}));

import {handler} from '../http/handler.js';
import {addAlertWords as add} from '../people/alert-words.js';

export const addAlertWords = handler('addAlertWords', ({services, caller, parameters}) => ({
	alert_words: add(services, caller, parameters.alert_words),
}));

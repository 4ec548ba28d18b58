import {handler} from '../../http/handler.js';
import {addAlertWords as add, listAlertWords, removeAlertWords as remove} from '../../people/alert-words.js';

export const getAlertWords = handler('getAlertWords', ({services: {store}, caller}) => ({
	alert_words: listAlertWords(store, caller),
}));

export const addAlertWords = handler('addAlertWords', ({services, caller, parameters}) => ({
	alert_words: add(services, caller, parameters.alert_words),
}));

export const removeAlertWords = handler('removeAlertWords', ({services, caller, parameters}) => ({
	alert_words: remove(services, caller, parameters.alert_words),
}));

import {handler} from '../http/handler.js';
import {removeAlertWords as remove} from '../people/alert-words.js';

export const removeAlertWords = handler('removeAlertWords', ({services, caller, parameters}) => ({
	alert_words: remove(services, caller, parameters.alert_words),
}));

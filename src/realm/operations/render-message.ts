import {handler} from '../http/handler.js';
import {renderMarkdown} from '../messages/markdown.js';

export const renderMessage = handler('renderMessage', ({services: {store}, caller, parameters}) => ({
	rendered: renderMarkdown(store, parameters.content, caller).html,
}));

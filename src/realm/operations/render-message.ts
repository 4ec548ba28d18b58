import {handler} from '../http/handler.js';
import {renderMarkdown} from '../messages/markdown.js';

export const renderMessage = handler('renderMessage', ({services: {store}, parameters}) => ({
	rendered: renderMarkdown(store, parameters.content).html,
}));

import {handler} from '../http/handler.js';
import {examplePayload} from '../webhooks/example.js';

export const serviceOutgoingWebhook = handler('serviceOutgoingWebhook', ({services, caller}) =>
	examplePayload(services, caller),
);

export const zulipOutgoingWebhook = handler('zulipOutgoingWebhook', ({services, caller}) =>
	examplePayload(services, caller),
);

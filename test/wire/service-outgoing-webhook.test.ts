import {testExamplePayload} from './example-payload.js';

testExamplePayload('/api/v1/service-outgoing-webhook', client => client.serviceOutgoingWebhook());

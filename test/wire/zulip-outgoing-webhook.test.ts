import {testExamplePayload} from './example-payload.js';

testExamplePayload('/api/v1/zulip-outgoing-webhook', client => client.zulipOutgoingWebhook());

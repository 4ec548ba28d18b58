import {clientCalls} from './kit/client-calls.js';
import {missingArgument, story} from './kit/story.js';

clientCalls('getStorage', {
	'writes keys as JSON, and reads texts': [
		{keys: ['a']},
		'GET /api/v1/bot_storage?keys=%5B%22a%22%5D',
		'"storage":{"a":"1"}',
	],
});

clientCalls('updateStorage', {
	'puts texts as JSON': [{storage: {a: '1'}}, 'PUT /api/v1/bot_storage storage=%7B%22a%22%3A%221%22%7D'],
});

clientCalls('removeStorage', {
	'writes no keys for all of them': [{}, 'DELETE /api/v1/bot_storage'],
});

story('updateStorage', 'keeps texts by key, for each account its own', [
	['alice-bot PUT /api/v1/bot_storage storage={"a":"1","b":"ü"}', {}],
	['alice-bot PUT /api/v1/bot_storage storage={"a":"2"}', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {a: '2', b: 'ü'}}],
	['alice-bot GET /api/v1/bot_storage?keys=["b"]', {storage: {b: 'ü'}}],
	['bob GET /api/v1/bot_storage', {storage: {}}],
	['alice-bot DELETE /api/v1/bot_storage keys=["b"]', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {a: '2'}}],
	['alice-bot DELETE /api/v1/bot_storage', {}],
	['alice-bot GET /api/v1/bot_storage', {storage: {}}],
]);

story('getStorage', 'refuses keys that are not there, and what is no text', [
	['alice PUT /api/v1/bot_storage storage={"a":"1"}', {}],
	['alice GET /api/v1/bot_storage?keys=["a","b"]', 'Key does not exist.'],
	['alice DELETE /api/v1/bot_storage keys=["a","b"]', 'Key does not exist.'],
	['alice GET /api/v1/bot_storage', {storage: {a: '1'}}],
	['alice PUT /api/v1/bot_storage', missingArgument('storage')],
	['alice PUT /api/v1/bot_storage storage={"a":1}', 'storage["a"] is not a string'],
	['alice PUT /api/v1/bot_storage storage=5', 'storage is not a dict'],
]);

story('updateStorage', 'keeps nothing of what is more than ten million characters', [
	async (t, scene) => {
		const alice = await scene.who('alice');
		const put = async (key: string, length: number) => {
			const storage = `{"${key}":"${'x'.repeat(length)}","k":""}`;
			return (await alice.post('/api/v1/bot_storage', `method=PUT&storage=${storage}`)).json;
		};
		t.like(await put('a', 5_000_000), {result: 'success'});
		const msg = 'Request exceeds storage limit by 3 characters. The limit is 10000000 characters.';
		t.like(await put('b', 5_000_000), {msg, code: 'BAD_REQUEST'});
	},
	['alice GET /api/v1/bot_storage?keys=["b"]', 'Key does not exist.'],
]);

// The words beside a message that say what its bots did.

import test from 'ava';

interface Summary {
	readonly text: string;
	readonly isBad: boolean;
}

const file = new URL('../../../../src/realm/page/playground/summary.js', import.meta.url);
const {summarize} = (await import(file.href)) as {summarize(exchanges: readonly object[]): Summary[]};

const bot = {user_id: 21, email: 'trial-bot@bothy.example', full_name: 'Trial'};
const webhook = {kind: 'webhook', attempt: 1, bot, outcome: 'answered', status: 200, at_ms: 1_000, ms: 12, posted: []};
const call = {...webhook, kind: 'call', operation: 'sendMessage', method: 'POST', url: '/api/v1/messages'};
const said = (text: string) => ({posted: [{message_id: 9, to: 'conversation', text}]});

for (const [what, exchanges, text, isBad = false] of [
	['an answer', [{...webhook, ...said('hello')}], '12 ms'],
	['a webhook under way', [{...webhook, ms: null}], '…'],
	['a broken webhook that is posted again', [{...webhook, outcome: 'broken'}], '…'],
	['a webhook that the realm gave up', [{...webhook, outcome: 'broken', ...said('Failure!')}], 'no answer', true],
	['a refused webhook', [{...webhook, status: 401}], 'failed 401', true],
	['an apology', [{...webhook, ...said('Sorry. (Reference: 3f2a9c01)')}], 'failed 3f2a9c01', true],
	['a refused call', [webhook, {...call, status: 400}], 'refused 400', true],
	['a broken call', [webhook, {...call, outcome: 'broken', status: null}], 'sendMessage broken', true],
	[
		'a refused call that was repeated',
		[webhook, {...call, status: 429}, {...call, ...said('hi')}],
		'posted after 12 ms',
	],
	['silence', [webhook], 'silent'],
	['silence, delivered again after minutes', [webhook, {...webhook, at_ms: 300_000}], 'silent'],
	['silence at the deadline', [{...webhook, ms: 8_040}], 'nothing after 8.0 s'],
	[
		'silence to a repeat after a broken webhook',
		[
			{...webhook, outcome: 'broken', ms: 10_000},
			{...webhook, attempt: 2, at_ms: 12_000, ms: 50},
		],
		'nothing after 11.1 s',
	],
	['other calls', [webhook, {...call, operation: 'addReaction'}], '1 call'],
] as const) {
	test(`${what} is \`${text}\``, t => {
		t.like(summarize(exchanges), [{text, isBad}]);
	});
}

// What the bots that a message called did, in a few words.

/** In the apology of a handler that threw. */
const REFERENCE = /\(Reference: ([\da-f]{8})\)/;

/** In the notice of Bothy to a bot's owner. */
const NOT_POSTED = /^A message of your bot \S+ could not be posted: /;

/** A bot host that answers without a text after this long may post one later. */
const SLOW_MS = 5_000;

/** @returns {{bot: string, userId: number, text: string, isBad: boolean}[]} one for each bot */
export function summarize(exchanges) {
	const bots = new Map(exchanges.map(({bot}) => [bot.user_id, bot]));
	return [...bots.values()].map(bot => {
		const own = exchanges.filter(one => one.bot.user_id === bot.user_id);
		return {bot: bot.full_name, userId: bot.user_id, ...wordsFor(own)};
	});
}

function wordsFor(exchanges) {
	const webhooks = exchanges.filter(({kind}) => kind === 'webhook');
	const calls = exchanges.filter(one => one.kind === 'call' && !isAside(one));
	const last = webhooks.at(-1);
	const [, reference] =
		exchanges.map(({posted}) => REFERENCE.exec(posted.map(({text}) => text).join(' '))).find(Boolean) ?? [];
	const refused = lastOfEach(calls).find(
		({status, outcome, posted}) => posted.length === 0 && (status >= 400 || outcome !== 'answered'),
	);
	const late = calls.find(({operation, posted}) => operation === 'sendMessage' && posted.length > 0);

	if (last && (last.ms === null || (last.outcome !== 'answered' && last.posted.length === 0))) {
		return good('…');
	}

	if (last && last.outcome !== 'answered') {
		return bad('no answer');
	}

	if (last && (last.status < 200 || last.status > 299)) {
		return bad(`failed ${last.status}`);
	}

	if (reference) {
		return bad(`failed ${reference}`);
	}

	if (refused) {
		return bad(refused.status === null ? `${refused.operation} broken` : `refused ${refused.status}`);
	}

	if (last && last.posted.length > 0) {
		return good(`${last.ms} ms`);
	}

	if (late) {
		return good(last ? `posted after ${seconds(late.at_ms + late.ms - webhooks[0].at_ms)}` : 'posted');
	}

	// A repeat of a webhook is answered at once if the bot is still busy.
	const first = webhooks.findLast(({attempt}) => attempt === 1) ?? last;
	const waitedMs = last ? last.at_ms + last.ms - first.at_ms : 0;
	if (calls.length === 0 && waitedMs >= SLOW_MS) {
		return good(`nothing after ${seconds(waitedMs)}`);
	}

	return good(calls.length > 0 ? `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}` : 'silent');
}

/** Calls that say nothing about the bot's answer. */
function isAside({operation, posted}) {
	return operation === 'setTypingStatus' || posted.some(({text}) => NOT_POSTED.test(text));
}

/** Of repeated calls, the last one counts. */
function lastOfEach(calls) {
	return [...new Map(calls.map(call => [`${call.method} ${call.url}`, call])).values()];
}

function seconds(ms) {
	return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function good(text) {
	return {text, isBad: false};
}

function bad(text) {
	return {text, isBad: true};
}

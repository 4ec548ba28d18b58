// Why a bot that a message called has said nothing so far, and what to do about it.

/** @returns {{userId: number, bot: string, text: string}[]} one for each bot, except where the ledger shows the reason itself */
export function explain(exchanges, deliveries) {
	const bots = new Map(exchanges.map(({bot}) => [bot.user_id, bot]));
	return [...bots.values()].flatMap(({user_id: userId, email, full_name: bot}) => {
		const own = exchanges.filter(one => one.bot.user_id === userId);
		const delivery = deliveries.find(one => one.bot === email);
		const text = delivery?.error || delivery?.lost.length > 0 ? undefined : reasonFor(own, delivery);
		return text === undefined ? [] : [{userId, bot, text}];
	});
}

function reasonFor(exchanges, delivery) {
	const webhook = exchanges.findLast(({kind}) => kind === 'webhook');
	const call = exchanges.findLast(({kind}) => kind === 'call');
	if (webhook?.ms === null) {
		return 'No answer yet. The realm waits 10 s for it.';
	}

	if (delivery && delivery.status in STOPPED) {
		return STOPPED[delivery.status];
	}

	if (webhook && (webhook.status === null || webhook.status > 299)) {
		return noAnswer(webhook);
	}

	if (call && call.status >= 400) {
		return refused(call);
	}

	if (!webhook || webhook.posted.length > 0 || exchanges.some(hasPosted)) {
		return undefined;
	}

	if (delivery?.status === 'running') {
		return stillRuns(webhook, delivery);
	}

	if (delivery?.pending > 0) {
		return `The handler has ended. Bothy has not posted its ${delivery.pending === 1 ? 'message' : `${delivery.pending} messages`} yet.`;
	}

	return delivery
		? 'The handler ended without a text.'
		: 'The answer has no text: the bot says nothing, or posts later.';
}

/** States of a delivery in which no handler runs any more, although none has ended. */
const STOPPED = {
	parked:
		'Bothy gave up: each run of the handler ended its process. Does the handler block the process, for example with an endless loop? See the log of the bot host.',
	held: 'The bot is paused. `bothy bots resume` runs it on this message.',
	flood:
		'This person sent the bot too many messages in a minute, so it did not run. The limit is `perMinute` in its code.',
};

function noAnswer({outcome, status, reason, url}) {
	if (status === 401) {
		return 'The receiver does not know this bot, or has another token for it. Compare `email` and `token` in its config with `realm.bothyrc` in the data folder of the realm.';
	}

	if (status === 404) {
		return `The receiver answered 404: nothing is at ${url}. Compare the path; that of Bothy is /webhook.`;
	}

	if (status !== null) {
		return `The receiver answered ${status}. See its log.`;
	}

	if (outcome === 'timeout') {
		return `${reason}. Is the receiver blocked, for example by an endless loop? A bot that needs longer should answer at once without a text, and post the text over the API.`;
	}

	return outcome === 'broken' ? `${reason}. Is the receiver running at ${url}?` : reason;
}

function refused({operation, status, answer}) {
	if (status === 401) {
		return 'The realm does not know this key. Compare `key` in the config of the bot host with `realm.bothyrc` in the data folder of the realm.';
	}

	return `The realm refused ${operation ?? 'a call'}: ${messageOf(answer) ?? status}`;
}

function messageOf(answer) {
	try {
		return JSON.parse(answer.text).msg;
	} catch {
		return undefined;
	}
}

function stillRuns({at_ms: at, ms}, {runs}) {
	const since = Math.round((Date.now() - at) / 1000);
	const again = runs > 1 ? ` This is run ${runs}: the process of the run before it ended, and its log says why.` : '';
	return `The handler is still running, ${since} s after the message.${again} The receiver answered without a text after ${(ms / 1000).toFixed(1)} s. Bothy posts the text when the handler ends. It stops the handler after its \`timeoutMs\`, by default 5 minutes.`;
}

function hasPosted({posted}) {
	return posted.length > 0;
}

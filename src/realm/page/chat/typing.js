// Tells others that this person types.

/** While the person types, the notice is repeated this often. */
const REPEAT_MS = 10_000;
const IDLE_MS = 5000;

export function createTyping({api}) {
	let last;
	let idle;

	function tell(op, place) {
		const where =
			place.kind === 'direct'
				? {type: 'direct', to: place.userIds}
				: {type: 'stream', stream_id: place.channelId, topic: place.topic};
		api.post('typing', {op, ...where}).catch(() => {});
	}

	function stopTyping() {
		clearTimeout(idle);
		if (last) {
			tell('stop', last.place);
			last = undefined;
		}
	}

	return {
		/** Call it for each change of the text. */
		typing(place) {
			clearTimeout(idle);
			idle = setTimeout(stopTyping, IDLE_MS);
			if (!last || Date.now() - last.at > REPEAT_MS) {
				last = {place, at: Date.now()};
				tell('start', place);
			}
		},
		stopTyping,
	};
}

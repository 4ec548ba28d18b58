// What the register call answers of a caller's topics, read off the wire.

import {inAnyOrder, like, type Step} from './story.js';

/** Topics of somebody in one channel by policy, and no others. */
export const topicsAre = (
	who: string,
	stream_id: number,
	policies: Readonly<Record<string, number>>,
	form = '',
): Step => [
	`${who} POST /api/v1/register event_types=["user_topic"]${form}`,
	like({
		user_topics: inAnyOrder(
			...Object.entries(policies).map(([topic_name, visibility_policy]) => ({
				stream_id,
				topic_name,
				visibility_policy,
				last_updated: '<integer>',
			})),
		),
	}),
];

/** Raw texts that a narrow finds. */
export const finds = (who: string, narrow: string, ...contents: readonly string[]): Step => [
	`${who} GET /api/v1/messages?anchor=newest&num_before=50&apply_markdown=false&narrow=${narrow}`,
	like({messages: contents.map(content => like({content}))}),
];

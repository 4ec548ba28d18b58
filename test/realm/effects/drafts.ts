import {effects} from './effect.js';

const DRAFT = {type: 'stream', to: [2], topic: 'soup', content: 'Leek?', timestamp: 1_700_000_000} as const;

export const drafts = effects(
	'createDrafts',
	{
		drafts: [
			[{...DRAFT, to: [...DRAFT.to]}],
			undefined,
			{told: [{type: 'drafts', op: 'add', drafts: [{id: 1, ...DRAFT}]}], kept: [{id: 1, ...DRAFT}]},
			{told: [], kept: []},
		],
	},
	async ({alice, watch}, given) => {
		const events = await watch(alice, {event_types: ['drafts']});
		await alice.createDrafts(given);
		return {told: await events(), kept: (await alice.getDrafts()).drafts};
	},
);

import type {Effects} from './effect.js';

const DRAFT = {type: 'stream', to: [2], topic: 'soup', content: 'Leek?', timestamp: 1_700_000_000} as const;

export const drafts: Effects = {
	createDrafts: {
		drafts: {
			values: [[{...DRAFT, to: [...DRAFT.to]}], undefined],
			async outcome(world, drafts) {
				const [computer, phone] = [await world.as('alice'), await world.as('alice')];
				const events = await world.watch(phone, {event_types: ['drafts']});
				await computer.createDrafts({drafts});
				return {told: await events(), kept: (await phone.getDrafts()).drafts};
			},
			expected: [
				{told: [{type: 'drafts', op: 'add', drafts: [{id: 1, ...DRAFT}]}], kept: [{id: 1, ...DRAFT}]},
				{told: [], kept: []},
			],
		},
	},
};

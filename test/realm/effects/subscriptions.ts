import {effects, unlessRefused} from './effect.js';
import {namesOf, newChannelEffects, OPEN, OPEN_AND_DEN} from './new-channel.js';

const LUNCH = 2;

export const subscriptions = [
	...effects(
		'getSubscriptions',
		{
			include_subscribers: [
				true,
				false,
				[
					[1, 2, 3, 4, 5, 6, 7],
					[1, 2, 3, 4, 5, 6, 7],
				],
				[undefined, undefined],
			],
		},
		async ({gus}, given) => (await gus.getSubscriptions(given)).subscriptions.map(channel => channel.subscribers),
	),
	...newChannelEffects('subscribe', ({olivia}, wanted) =>
		olivia.subscribe({subscriptions: [{name: 'den'}], ...wanted}),
	),
	...effects(
		'subscribe',
		{principals: [[7], ['adam@bothy.example'], [3, 4, 5, 6, 7], [2, 3, 4, 5, 6]]},
		async ({alice, bob}, given) => {
			await alice.subscribe({subscriptions: [{name: 'lunch'}], ...given});
			return (await bob.getSubscribers({stream_id: LUNCH})).subscribers;
		},
	),
	...effects(
		'subscribe',
		{authorization_errors_fatal: [true, false, OPEN, OPEN_AND_DEN]},
		async ({alice, bob}, given) => {
			await unlessRefused(alice.subscribe({subscriptions: [{name: 'staff'}, {name: 'den'}], ...given}));
			return namesOf(bob);
		},
	),
	...effects(
		'unsubscribe',
		{principals: [[4], ['bob@bothy.example'], [3, 5, 6], [3, 4, 6]]},
		async ({adam, olivia}, given) => {
			await adam.unsubscribe({subscriptions: ['lunch'], ...given});
			return (await olivia.getSubscribers({stream_id: LUNCH})).subscribers;
		},
	),
];

// Subscribes and unsubscribes people, and publishes it.

import {inChannel, markAsRead} from '../messages/mark-read.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import {type ChannelRow, endSubscription, insertSubscription, isSubscribed} from './channels.js';
import {publishArrivals, publishDepartures, publishSubscribers, publishUnsubscribed, viewerIds} from './publish.js';

/** Returns the people who were not subscribed before. They see the channel in the given color. */
export function addSubscribers(
	services: Services,
	{id, color}: Pick<ChannelRow, 'id'> & {readonly color?: string | undefined},
	people: readonly Account[],
	before = viewerIds(services.store, id),
): readonly Account[] {
	const {store} = services;
	const newcomers = people.filter(person => !isSubscribed(store, person.id, id));
	for (const person of newcomers) {
		insertSubscription(store, person.id, id, color);
	}

	// A client must get the channel before the subscription.
	publishArrivals(services, id, before);
	if (newcomers.length > 0) {
		publishSubscribers(
			services,
			id,
			newcomers.map(person => person.id),
		);
	}

	return newcomers;
}

/** Returns the people who were subscribed before. */
export function removeSubscribers(
	services: Services,
	{id}: ChannelRow,
	people: readonly Account[],
): readonly Account[] {
	const {store} = services;
	const before = viewerIds(store, id);
	const leavers = people.filter(person => isSubscribed(store, person.id, id));
	for (const person of leavers) {
		endSubscription(store, person.id, id);
	}

	if (leavers.length > 0) {
		publishUnsubscribed(
			services,
			id,
			leavers.map(person => person.id),
		);
		publishDepartures(services, id, before);
		for (const person of leavers) {
			markAsRead(services, person, {conditions: [inChannel({id})]});
		}
	}

	return leavers;
}

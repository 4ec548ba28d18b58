// Who sees whose real email address, and what the others see in its place (service-facts.md 6.5).

import {organization} from '../organization.js';
import type {Store} from '../store/store.js';
import {readSetting} from './settings.js';

const EVERYONE = 1;

/** The role with the least rights that sees the address, for each value of `email_address_visibility`. */
const leastRoles: Readonly<Record<number, number>> = {[EVERYONE]: 600, 2: 400, 5: 300, 3: 200, 4: 0};

interface Person {
	readonly id: number;
	readonly email: string;
}

interface Viewer {
	readonly id: number;
	readonly role: number;
}

/** A real address, and who sees it. */
export interface Address extends Person {
	readonly visibility: number;
}

export function addressOf(store: Store, {id, email}: Person): Address {
	return {id, email, visibility: readSetting(store, {id}, 'email_address_visibility')};
}

/** The email of an account that everybody sees: the real address only if everybody may see it. */
export function shownEmail(store: Store, person: Person): string {
	return shownAddress(store, addressOf(store, person));
}

export function shownAddress(store: Store, {id, email, visibility}: Address): string {
	return visibility === EVERYONE ? email : placeholder(store, id);
}

/** The address that others see instead of the real one. */
export function placeholder(store: Store, id: number): string {
	// The realm's host is a number, which forms no address.
	return `user${id}@${organization(store).domain}`;
}

/** ID in an address of the placeholder's form. */
export function placeholderId(store: Store, email: string): number | undefined {
	const [, id] = /^user(\d+)@/i.exec(email) ?? [];
	return id !== undefined && email.toLowerCase() === placeholder(store, Number(id)) ? Number(id) : undefined;
}

/** Both forms of somebody's address, as one who looks sees them; who looks without login sees none. */
export function emailsFor(store: Store, viewer: Viewer | undefined, person: Person) {
	if (!viewer) {
		return {email: placeholder(store, person.id), delivery_email: null};
	}

	const address = addressOf(store, person);
	return {email: shownAddress(store, address), delivery_email: realEmail(viewer, address)};
}

/** Null if the viewer may not see it. */
export function realEmail(viewer: Viewer, {id, email, visibility}: Address): string | null {
	return viewer.id === id || viewer.role <= (leastRoles[visibility] ?? 0) ? email : null;
}

export function maySeeEmail(store: Store, viewer: Viewer, person: Person): boolean {
	return realEmail(viewer, addressOf(store, person)) !== null;
}

// Invitations: the realm keeps them, but sends no emails, and nobody can follow a link.

import type {Invite} from '../../api/index.js';
import {mayReadChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {badRequest, RealmError} from '../errors.js';
import {groupToFill} from '../groups/access.js';
import {type Account, findAccountByEmail, isAdministrator, listAccounts, Role, randomKey} from '../people/accounts.js';
import {isEmail} from '../people/email.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

interface InviteRow {
	readonly id: number;
	/** Null for a link. */
	readonly email: string | null;
	/** Null for an email. */
	readonly link_key: string | null;
	readonly invited_by: number;
	readonly invited: number;
	readonly expiry_date: number | null;
	readonly invited_as: number;
	readonly notifies: 0 | 1;
	readonly revoked: 0 | 1;
}

export interface NewInvite {
	readonly invite_as: number;
	readonly invite_expires_in_minutes: number | null;
	readonly stream_ids: readonly number[];
	readonly group_ids: readonly number[];
}

/** Invitations that have not expired and were not revoked. Members see only their own. */
export function listInvites({store, clock, site}: Services, caller: Account): Invite[] {
	const rows = store.all<InviteRow>(
		'SELECT * FROM invites WHERE NOT revoked AND coalesce(expiry_date > ?, 1) ORDER BY email IS NULL, id',
		clock.seconds(),
	);
	return rows.filter(row => isAdministrator(caller) || row.invited_by === caller.id).map(row => present(row, site));
}

function present(row: InviteRow, site: string): Invite {
	return {
		...(row.email !== null && {email: row.email, notify_referrer_on_join: row.notifies === 1}),
		...(row.link_key !== null && {link_url: linkOf(site, row.link_key)}),
		id: row.id,
		invited_by_user_id: row.invited_by,
		invited: row.invited,
		expiry_date: row.expiry_date,
		invited_as: row.invited_as,
		is_multiuse: row.link_key !== null,
	};
}

function linkOf(site: string, key: string): string {
	return `${site}/join/${key}/`;
}

/** Throws if one of the addresses is wrong, or if all of them are in use. */
export function inviteByEmail(
	services: Services,
	caller: Account,
	wanted: NewInvite & {readonly invitee_emails: string; readonly notify_referrer_on_join: boolean},
): void {
	const {store} = services;
	checkRole(caller, wanted.invite_as);
	if (wanted.invitee_emails === '') {
		throw badRequest('You must specify at least one email address.');
	}

	checkTargets(services, caller, wanted);
	const emails = new Set(wanted.invitee_emails.split(/[,\n]/).map(text => (/<(.*)>/.exec(text)?.[1] ?? text).trim()));
	const wrong = [...emails].filter(email => !isEmail(email));
	const known = [...emails].flatMap(email => findAccountByEmail(store, email) ?? []);
	if (wrong.length > 0) {
		const errors = wrong.map(email => [email, 'Invalid address.', false]);
		throw failed("Some emails did not validate, so we didn't send any invitations.", errors);
	}

	const skipped = known.map(({email, is_active}) =>
		is_active ? [email, 'Already has an account.', false] : [email, 'Account has been deactivated.', true],
	);
	if (skipped.length === emails.size) {
		throw failed("We weren't able to invite anyone.", skipped);
	}

	store.transaction(() => {
		for (const email of emails) {
			if (!findAccountByEmail(store, email)) {
				insert(services, caller, {...wanted, email, notifies: wanted.notify_referrer_on_join});
			}
		}
	});
	if (skipped.length > 0) {
		throw failed(
			"Some of those addresses are already using Zulip, so we didn't send them an invitation. " +
				'We did send invitations to everyone else!',
			skipped,
			true,
		);
	}
}

/** Returns the link. */
export function createLink(services: Services, caller: Account, wanted: NewInvite): string {
	if (!isAdministrator(caller)) {
		throw badRequest('Insufficient permission');
	}

	checkRole(caller, wanted.invite_as);
	checkTargets(services, caller, wanted);
	const key = randomKey();
	insert(services, caller, {...wanted, key});

	return linkOf(services.site, key);
}

function insert(
	services: Services,
	caller: Account,
	invite: NewInvite & {readonly email?: string; readonly key?: string; readonly notifies?: boolean},
): void {
	const now = services.clock.seconds();
	const minutes = invite.invite_expires_in_minutes;
	services.store.run(
		`INSERT INTO invites (email, link_key, invited_by, invited, expiry_date, invited_as, notifies)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		invite.email ?? null,
		invite.key ?? null,
		caller.id,
		now,
		minutes === null ? null : now + minutes * 60,
		invite.invite_as,
		Number(invite.notifies ?? false),
	);
	services.store.afterCommit(() => publish(services, caller.id));
}

/** Revokes an invitation by email, or a link. */
export function revokeInvite(services: Services, caller: Account, id: number, kind: 'email' | 'link'): void {
	const invite = findInvite(services.store, caller, id, kind);
	if (invite.revoked) {
		throw badRequest(kind === 'link' ? 'Invitation has already been revoked' : 'No such invitation');
	}

	services.store.run('UPDATE invites SET revoked = 1 WHERE id = ?', id);
	publish(services, invite.invited_by);
}

export function checkInvite(store: Store, caller: Account, id: number): void {
	if (findInvite(store, caller, id, 'email').revoked) {
		throw badRequest('No such invitation');
	}
}

function findInvite(store: Store, caller: Account, id: number, kind: 'email' | 'link'): InviteRow {
	const invite = store.get<InviteRow>('SELECT * FROM invites WHERE id = ?', id);
	if (!invite || (invite.link_key !== null) !== (kind === 'link')) {
		throw badRequest('No such invitation');
	}

	if (invite.invited_by !== caller.id) {
		checkRole(caller, invite.invited_as);
		checkAdministrator(caller);
	}

	return invite;
}

/** Somebody with the address has an account now. */
export function endInvites(store: Store, email: string): void {
	store.run('UPDATE invites SET revoked = 1 WHERE lower(email) = lower(?)', email);
}

function checkRole(caller: Account, role: number): void {
	if (role === Role.owner && caller.role !== Role.owner) {
		throw new RealmError('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');
	}

	if (role < Role.member) {
		checkAdministrator(caller);
	}
}

function checkAdministrator(caller: Account): void {
	if (!isAdministrator(caller)) {
		throw badRequest('Must be an organization administrator');
	}
}

function checkTargets(services: Services, caller: Account, {stream_ids, group_ids}: NewInvite): void {
	for (const id of stream_ids) {
		const channel = findChannel(services.store, id);
		if (!channel || channel.is_archived || !mayReadChannel(services.store, caller, channel)) {
			throw badRequest(`Invalid channel ID ${id}. No invites were sent.`);
		}
	}

	for (const id of group_ids) {
		groupToFill(services, caller, {id, settings: ['can_add_members_group']});
	}
}

function failed(message: string, errors: readonly unknown[], sent_invitations = false): RealmError {
	return new RealmError(message, 'INVITATION_FAILED', 400, {
		errors,
		sent_invitations,
		license_limit_reached: false,
		daily_limit_reached: false,
	});
}

function publish({store, queues}: Services, inviterId: number): void {
	for (const account of listAccounts(store).filter(each => isAdministrator(each) || each.id === inviterId)) {
		queues.publishTo(account.id, {type: 'invites_changed'});
	}
}

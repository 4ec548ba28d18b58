import {badRequest, RealmError} from '../errors.js';
import {groupToManage} from '../groups/access.js';
import {checkGroupName} from '../groups/name.js';
import {publishDeactivation, publishGroup} from '../groups/publish.js';
import {
	checkSetting,
	groupSettings,
	isSameSetting,
	plainSetting,
	readGroupSetting,
	writeGroupSetting,
} from '../groups/settings.js';
import type {Call} from '../http/handler.js';
import {handler} from '../http/handler.js';
import type {GroupRow} from '../people/groups.js';
import type {Services} from '../services.js';

type Changes = Call<'updateUserGroup'>['parameters'];

export const updateUserGroup = handler('updateUserGroup', ({services, caller, parameters}) => {
	const {user_group_id: id, ...changes} = parameters;
	if (Object.values(changes).every(value => value === undefined)) {
		throw badRequest('No new data supplied');
	}

	services.store.transaction(() => {
		const group = groupToManage(services.store, caller, id);
		changeTexts(services, group, parameters);
		changeSettings(services, group, parameters);
		if (group.deactivated && parameters.deactivated === false) {
			services.store.run('UPDATE user_groups SET deactivated = 0 WHERE id = ?', id);
			publishDeactivation(services, id);
		}
	});

	return {};
});

function changeTexts(services: Services, group: GroupRow, {name: wanted, description}: Changes): void {
	const {store} = services;
	const name = wanted === undefined || wanted === group.name ? undefined : checkGroupName(store, wanted, group.id);
	if (name !== undefined && name !== group.name) {
		store.run('UPDATE user_groups SET name = ? WHERE id = ?', name, group.id);
		publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {name}});
	}

	if (description !== undefined && description !== group.description) {
		store.run('UPDATE user_groups SET description = ? WHERE id = ?', description, group.id);
		publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {description}});
	}
}

function changeSettings(services: Services, group: GroupRow, changes: Changes): void {
	const {store} = services;
	for (const name of groupSettings) {
		const change = changes[name];
		const present = readGroupSetting(store, group, name);
		if (change?.old !== undefined && !isSameSetting(change.old, present)) {
			throw new RealmError("'old' value does not match the expected value.", 'EXPECTATION_MISMATCH');
		}

		if (change && !isSameSetting(change.new, present)) {
			checkSetting(store, name, change.new);
			const value = plainSetting(change.new);
			writeGroupSetting(store, group.id, {name, value});
			publishGroup(services, group.id, {op: 'update', group_id: group.id, data: {[name]: value}});
		}
	}
}

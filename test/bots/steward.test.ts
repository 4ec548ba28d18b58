import test from 'ava';
import {testBot} from 'bothy/testing';
import steward from '../../bots/steward.js';

const options = {name: 'Steward'};

test('steward shows who is in a group', async t => {
	const {alice} = await testBot(steward, options);

	t.deepEqual(await alice.dm('who kitchen'), ['* Alice Ahn\n* Carla Cruz']);
	t.deepEqual(await alice.dm('who nobody knows'), ['There is no group “nobody knows”.']);
});

test('steward puts a group into another, for administrators', async t => {
	const {adam, alice, olivia} = await testBot(steward, options);
	const {user_groups: groups} = await alice.api.getUserGroups();
	const idOf = (name: string) => groups.find(group => group.name === name)?.id ?? 0;

	t.deepEqual(await alice.dm('nest board garden'), ['`nest` is for administrators only.']);
	t.deepEqual(await adam.dm('nest board garden'), ['The service says: Insufficient permission']);
	await olivia.api.updateUserGroup({
		user_group_id: idOf('garden'),
		can_manage_group: {new: idOf('role:administrators')},
	});
	t.deepEqual(await adam.dm('nest board garden'), ['board is now part of garden.']);
	t.deepEqual((await alice.api.getUserGroupSubgroups({user_group_id: idOf('garden')})).subgroups, [idOf('board')]);
});

test('steward closes an account when an administrator has confirmed it', async t => {
	const {adam, carla, olivia} = await testBot(steward, options);
	const isActive = async () => (await olivia.api.getUser({user_id: carla.id})).user.is_active;

	t.deepEqual(await adam.dm(`deactivate ${carla.mention}`), ['This logs them out everywhere. Deactivate the account?']);
	t.deepEqual(await adam.dm('no'), ['OK, I did nothing.']);
	t.true(await isActive());
	await adam.dm('deactivate carla@bothy.example');
	t.deepEqual(await adam.presses('yes'), ['The account of Carla Cruz is deactivated.']);
	t.false(await isActive());
	t.deepEqual(await adam.dm('deactivate olivia@bothy.example').then(() => adam.dm('yes')), [
		'The service says: Must be an organization owner',
	]);
});

test('steward sets the defaults for new users', async t => {
	const {adam, olivia} = await testBot(steward, options);

	t.deepEqual(await adam.dm('default enter_sends on'), ['New people start with `enter_sends` on.']);
	const state = await olivia.api.register({event_types: ['realm_user_settings_defaults']});
	t.like(state.realm_user_settings_defaults as object, {enter_sends: true});
	t.regex((await adam.dm('default fluid on'))[0] ?? '', /^`setting` cannot be “fluid”/);
});

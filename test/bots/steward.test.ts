import test from 'ava';
import {testBot} from 'bothy/testing';
import steward from '../../bots/steward.js';

/** As the owner has set it up: its account may do all that she may. */
async function openSteward() {
	const kit = await testBot(steward, {name: 'Steward'});
	await kit.olivia.api.updateUser({user_id: kit.bot.id, role: 100});
	return kit;
}

test('steward shows who is in a group', async t => {
	const {alice} = await openSteward();

	t.deepEqual(await alice.dm('who kitchen'), ['* Alice Ahn\n* Carla Cruz']);
	t.deepEqual(await alice.dm('who cellar'), ['There is no group “cellar”.']);
});

test('steward puts a group into another, for administrators', async t => {
	const {alice, adam} = await openSteward();

	t.deepEqual(await alice.dm('nest board garden'), ['`nest` is for administrators only.']);
	t.deepEqual(await adam.dm('nest board garden'), ['Whoever is in board is in garden now.']);
	t.deepEqual(await adam.dm('nest board cellar'), ['There is no group “cellar”.']);
	t.deepEqual(await alice.dm('who garden'), ['* Olivia Owens\n* Adam Addo\n* Bob Birk\n* Gus Gray']);
});

test('steward closes an account when it is told twice, and says what the service refuses', async t => {
	const {adam, carla, olivia} = await openSteward();

	t.deepEqual(await adam.dm('deactivate @**Carla Cruz**'), ['They will be signed out everywhere. Really?']);
	t.deepEqual(await adam.presses('no'), ['Then I leave it.']);
	await carla.dm('still here');
	await adam.dm('deactivate @**Carla Cruz**');
	t.deepEqual(await adam.presses('yes'), ['The account of Carla Cruz is closed.']);
	await t.throwsAsync(carla.dm('hello'), {message: /deactivated/});
	await adam.dm(`deactivate ${olivia.email}`);
	t.regex((await adam.dm('yes')).join(), /^The service says: /);
});

test('steward says what newcomers start with', async t => {
	const {adam} = await openSteward();

	t.deepEqual(await adam.dm('default enter_sends on'), ['Newcomers start with `enter_sends` on.']);
	t.deepEqual(await adam.dm('default enter_sends maybe'), [
		'`value` cannot be “maybe”: expected `on` or `off`. Usage: `default <setting> <value>`',
	]);
});

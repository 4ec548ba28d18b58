import test from 'ava';
import {testBot} from 'bothy/testing';
import game from '../../bots/game.js';

test('game lets two play in turns until the last stick', async t => {
	const {alice, bob, carla} = await testBot(game, {name: 'Game'});

	t.deepEqual(await alice.says('#general > nim', `@**Game** play @**${bob.name}**`), [
		`21 sticks. ${bob.name} begins.`,
	]);
	t.deepEqual(await alice.says('#general > nim', '@**Game** take 1'), ['It is not your turn.']);
	t.deepEqual(await carla.says('#general > nim', '@**Game** take 1'), ['It is not your turn.']);
	for (const left of [18, 15, 12, 9, 6, 3]) {
		const [player, next] = left % 2 === 0 ? [bob, alice] : [alice, bob];
		t.deepEqual(await player.presses('3'), [`${left} left. ${next.name}, your turn.`]);
	}

	t.deepEqual(await bob.presses('3'), [`${bob.name} took the last stick. ${alice.name} wins!`]);
	t.deepEqual(await bob.says('#general > nim', '@**Game** take 1'), [
		'There is no game here. `play @**somebody**` starts one.',
	]);
});

import test from 'ava';
import {cut, isTooLong, wellFormed} from '../../src/delivery/text.js';

test('a text is cut as the service cuts it', t => {
	t.is(cut('x'.repeat(10_000)), 'x'.repeat(10_000));
	t.is(cut('x'.repeat(10_001)), `${'x'.repeat(9_980)}\n[message truncated]`);
	t.is(cut('🍲'.repeat(10_001)), `${'🍲'.repeat(9_980)}\n[message truncated]`);
	t.false(isTooLong('🍲'.repeat(10_000)));
});

test('a well-formed text does not change', t => {
	t.is(wellFormed('a🍲\n'), 'a🍲\n');
	t.is(wellFormed('\ud83c'), '\ufffd');
});

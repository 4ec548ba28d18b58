import test from 'ava';
import {type PresentAccount, presenceStateOf} from '../../src/presence/account.js';
import {parseHours} from '../../src/presence/hours.js';
import {Pinger} from '../../src/presence/pinger.js';
import {createSites} from '../../src/presence/sites.js';
import {createService} from '../workers/presence-kit.js';
import {createVirtualTime} from '../workers/virtual-time.js';

test('no ping is sent if the hours end while the service reports who somebody is', async t => {
	const time = createVirtualTime(Date.parse('2026-11-20T17:29:59Z'));
	const service = createService(time, {people: 1, serve: () => time.pass(1_000)});
	const [person] = service.accounts as [PresentAccount];
	const account: PresentAccount = {...person, presence: {status: 'active', hours: parseHours('Fri 9:00-17:30 UTC')}};
	const pinger = new Pinger({
		account,
		state: presenceStateOf(account, undefined),
		client: service.clientOf(account),
		site: createSites(time.now)(account.site),
		log: {info() {}, warn() {}, error() {}},
		now: time.now,
		signal: new AbortController().signal,
		keep: async () => {},
	});

	await pinger.ping({staleAt: Number.POSITIVE_INFINITY});

	t.deepEqual(
		service.calls.map(({operation}) => operation),
		['getOwnUser'],
	);
	t.like(pinger.state, {isPerson: true, pingedAt: undefined});
});

import test from 'ava';
import {createClient} from '../../src/client/client.js';
import {type PresentAccount, standingOf} from '../../src/presence/account.js';
import {parseHours} from '../../src/presence/hours.js';
import {Pinger} from '../../src/presence/pinger.js';
import {createSites} from '../../src/presence/sites.js';
import {openSite} from '../workers/presence-kit.js';

test('hours that end while the service says who somebody is hold back the ping', async t => {
	const site = await openSite(t, {people: 1, name: 'late', pingSeconds: 1});
	const [person] = site.accounts as [PresentAccount];
	const account: PresentAccount = {...person, presence: {status: 'active', hours: parseHours('Fri 9:00-17:30 UTC')}};
	const client = createClient({...account, userAgent: 'Bothy/1.2.3'});
	t.teardown(() => client.close());
	const hasAnswered = () => site.calls.some(({operation}) => operation === 'getOwnUser');
	const now = () => Date.parse(hasAnswered() ? '2026-11-20T17:30:00Z' : '2026-11-20T17:29:59Z');
	const pinger = new Pinger({
		account,
		standing: standingOf(account, undefined),
		client,
		site: createSites(now)(account.site),
		log: {info() {}, warn() {}, error() {}},
		now,
		signal: new AbortController().signal,
		keep: async () => {},
	});

	await pinger.ping({staleAt: Number.POSITIVE_INFINITY});

	t.true(hasAnswered());
	t.deepEqual(site.pingsOf(account), []);
	t.like(pinger.standing, {isPerson: true, pingedAt: undefined});
});

// Deliveries, queues and workers under load while Redis fails over. Before each failure the replica has everything that was
// acknowledged: nothing can guarantee writes that a failover drops (docs/guarantees.md).

import test from 'ava';
import {
	follows,
	hush,
	isMaster,
	PASSWORD,
	release,
	startCluster,
	startPair,
	startSentinels,
} from '../helpers/redis-nodes.js';
import {until} from '../helpers/until.js';
import {startHouse} from './failover-kit.js';

test('every message is answered once while a master becomes a replica and answers READONLY', async t => {
	const {url, nodes, lead} = await startPair(t);
	const [one, other] = nodes;
	const house = await startHouse(t, url);
	await house.works();

	// It accepts no write until its replica has everything. Then they swap roles.
	await one.redis.call('FAILOVER');
	await until(() => follows(one, other));
	lead(other);
	await house.works();

	await house.answeredOnce();
});

test('behind Sentinels every message is answered once while the master is demoted, killed and frozen', async t => {
	const {url, nodes, demote, switched, ready} = await startSentinels(t);
	const [one, other] = nodes;
	const house = await startHouse(t, url);
	await house.works();

	await ready(other);
	await hush(one, other);
	await demote(one);
	await release(one);
	await house.works();

	await until(() => follows(one, other));
	await ready(one);
	await hush(other, one);
	await other.kill();
	await switched(other);
	await house.works();
	await other.start([`replicaof 127.0.0.1 ${one.port}`]);

	await until(() => follows(other, one));
	await ready(other);
	await hush(one, other);
	one.freeze();
	await switched(one);
	await house.works();
	// It runs the earlier commands only now.
	one.thaw();
	await release(one);

	await house.answeredOnce();
});

test('on a Cluster every message is answered once while masters are demoted, killed and frozen', async t => {
	const {url, of} = await startCluster(t, {replicas: 1, password: PASSWORD});
	const house = await startHouse(t, url);
	await house.works();

	const demoted = await of('{bothy}');
	// It accepts no write until its replica has everything. Then they swap roles.
	await demoted.replica.redis.cluster('FAILOVER');
	await until(() => isMaster(demoted.replica));
	await house.works();

	const killed = await of(`bothy:{${house.account}}:due`);
	await hush(killed.master, killed.replica);
	await killed.master.kill();
	await until(() => isMaster(killed.replica));
	await house.works();
	await killed.master.start();

	const frozen = await of('{bothy}');
	await hush(frozen.master, frozen.replica);
	frozen.master.freeze();
	await until(() => isMaster(frozen.replica));
	await house.works();
	// It runs the earlier commands only now.
	frozen.master.thaw();
	await release(frozen.master);

	await house.answeredOnce();
});

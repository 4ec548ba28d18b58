#!/bin/sh
# Makes a replica of Redis the master, without losing a write. It stops with a reason when a check or a step fails; Bothy then
# continues with the old server. docs/operating.md shows the whole procedure.
#   OLD="redis-cli -h old.example.com" NEW="redis-cli -h new.example.com" sh failover.sh
set -eu

stop() {
	echo "failover: $*" >&2
	exit 1
}

# field <redis-cli> <name>: a field of INFO replication.
field() {
	$1 INFO replication | tr -d '\r' | sed -n "s/^$2://p"
}

# expect <name> <redis-cli> <field> <value> <what to do>
expect() {
	found=$(field "$2" "$3")
	[ "$found" = "$4" ] || stop "$1: expected $3:$4, found ${found:-no answer}. $5"
}

expect OLD "$OLD" role master "OLD must be the present master, with its password in REDISCLI_AUTH."
expect NEW "$NEW" role slave "Start it with --replicaof."
expect NEW "$NEW" master_link_status up "Its log says why; wait until it has copied the data."
expect OLD "$OLD" connected_slaves 1 "Detach the other replicas first (REPLICAOF NO ONE)."
# After the handover, OLD logs in to NEW: so it needs the same masterauth and tls-replication.
for setting in appendonly maxmemory-policy masteruser masterauth tls-replication; do
	[ "$($OLD CONFIG GET $setting)" = "$($NEW CONFIG GET $setting)" ] || stop "$setting differs. Set it alike on OLD and NEW (CONFIG SET $setting)."
done
# Redis lists a user's rights in any order.
users() {
	$1 ACL LIST | tr ' ' '\n' | sort
}
[ "$(users "$OLD")" = "$(users "$NEW")" ] || stop "the users differ. Copy the ACL file of OLD to NEW and run ACL LOAD."

replica=$(field "$OLD" slave0)
ip=$(echo "$replica" | sed -n 's/^ip=\([^,]*\),.*/\1/p')
port=$(echo "$replica" | sed -n 's/.*,port=\([0-9]*\),.*/\1/p')
[ -n "$ip" ] && [ -n "$port" ] || stop "OLD: expected slave0:ip=…,port=…, found \"$replica\"."
echo "failover: OLD hands over to $ip:$port"
answer=$($OLD FAILOVER TO "$ip" "$port" TIMEOUT 10000)
[ "$answer" = OK ] || stop "OLD refused: $answer"

end=$(($(date +%s) + 20))
until [ "$(field "$NEW" role)" = master ] && [ "$(field "$OLD" master_failover_state)" = no-failover ]; do
	if [ "$(date +%s)" -ge $end ]; then
		$OLD FAILOVER ABORT >&2 || true
		stop "NEW did not take over within 20 s; aborted. OLD must reach it at $ip:$port: set replica-announce-ip on NEW."
	fi
	sleep 1
done
expect OLD "$OLD" role slave "NEW is the master too: keep clients away from OLD and shut it down."
echo "failover: NEW is the master. Now let the name in REDIS_URL lead to it, then shut OLD down."

// AVA calls this in its own process with the events of a run (types: ava/types/state-change-events.d.cts).
// Forwards them to scripts/test.mjs.

const internal = new Set(['declared-test', 'test-register-log-reference', 'touched-files', 'accessed-snapshots']);

export async function observeRun({events}) {
	process.send({type: 'run-started'});
	const started = new Set();
	for await (const event of events) {
		if (event.type === 'stats') {
			// AVA does not report when it starts a file, but the file appears in the counts.
			for (const testFile of event.stats.byFile.keys()) {
				if (!started.has(testFile)) {
					started.add(testFile);
					process.send({type: 'file-started', testFile, files: event.stats.files});
				}
			}
		} else if (!internal.has(event.type)) {
			process.send(event);
		}
	}
}

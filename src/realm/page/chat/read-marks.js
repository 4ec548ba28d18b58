// What a person has read, stored in this browser and not in the realm.

/** `newestId` is the last message of the realm. On the first visit, everything counts as read. */
export function readMarks(email, newestId) {
	const name = `bothy-read:${email}`;
	const stored = JSON.parse(localStorage.getItem(name) ?? 'null');
	// If the newest ID is lower than what was read, this is a new realm.
	const marks = stored && highest(stored) <= newestId ? stored : {start: newestId, byKey: {}};
	save();

	function save() {
		localStorage.setItem(name, JSON.stringify(marks));
	}

	return {
		isRead: (key, id) => id <= Math.max(marks.start, marks.byKey[key] ?? 0),
		mark(key, id) {
			marks.byKey[key] = Math.max(marks.byKey[key] ?? 0, id);
			save();
		},
	};
}

function highest({start, byKey}) {
	return Math.max(start, ...Object.values(byKey));
}

/** Whether a link leads where links may: nothing that runs, and no data. */
export function isSafeLink(url: string): boolean {
	const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase();
	return scheme === undefined || ['http', 'https', 'mailto'].includes(scheme);
}

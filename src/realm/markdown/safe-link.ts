/** Whether an address may be linked: not `javascript:`, `data:` and the like. */
export function isSafeLink(url: string): boolean {
	const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url.trim())?.[1]?.toLowerCase();
	return scheme === undefined || ['http', 'https', 'mailto'].includes(scheme);
}

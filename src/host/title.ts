/** How people of the realm call the bot of a plugin. */
export function titleOf(name: string): string {
	return name
		.split(/[-_]/)
		.map(word => word.charAt(0).toUpperCase() + word.slice(1))
		.join(' ');
}

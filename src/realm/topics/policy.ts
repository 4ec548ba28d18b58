/** What somebody thinks of a topic. Each is more visible than the one before it. */
export const Policy = {none: 0, muted: 1, unmuted: 2, followed: 3} as const;
export type Policy = (typeof Policy)[keyof typeof Policy];

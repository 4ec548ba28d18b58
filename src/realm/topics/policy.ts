/** A person's policy for a topic. Each value makes the topic more visible than the one before. */
export const Policy = {none: 0, muted: 1, unmuted: 2, followed: 3} as const;
export type Policy = (typeof Policy)[keyof typeof Policy];

// The roles of worker processes. In a separate file, so that naming them does not load the workers.

export const ROLES = ['sends', 'drafts', 'presence', 'events', 'sweep'] as const;
export type RoleName = (typeof ROLES)[number];

// What a worker process may be for. Apart from the workers, so that naming them loads none.

export const ROLES = ['sends', 'drafts', 'presence', 'events', 'sweep'] as const;
export type RoleName = (typeof ROLES)[number];

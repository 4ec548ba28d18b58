export const SEND_STATUSES = ['waiting', 'retrying', 'sending', 'failed', 'unknown'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

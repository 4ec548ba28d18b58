// What a process that loads bots tells of one of them, for the chat page of a local realm.

import {z} from '../../api/zod.js';

export const BotReport = z.object({
	email: z.string(),
	name: z.string(),
	file: z.string(),
	about: z.string().nullable(),
	commands: z.array(z.object({name: z.string(), usage: z.string(), about: z.string()})),
	config: z.array(z.object({name: z.string(), value: z.string()})),
	error: z.object({reason: z.string(), file: z.string().nullable(), line: z.number().nullable()}).nullable(),
});
export type BotReport = z.infer<typeof BotReport>;

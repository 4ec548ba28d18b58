// The package's face: all that a bot may import.

export {z} from 'zod';
export {arg} from './bot/arguments.js';
export {
	type Bot,
	type BotOptions,
	bot,
	type CommandOptions,
	type ErrorHandler,
	type Handler,
	type Middleware,
} from './bot/bot.js';
export type {
	BotLog,
	Context,
	CronContext,
	ScheduledText,
	ScheduleHandle,
	ScheduleOptions,
	Sender,
	SendHandle,
} from './bot/context.js';
export type {Cron, CronHandler} from './bot/cron.js';
export {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from './bot/drafts.js';

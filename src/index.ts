// The package's face: all that a bot may import.

export {z} from 'zod';
export {arg} from './bot/arg.js';
export {
	type Bot,
	type BotOptions,
	bot,
	type CommandOptions,
	type ErrorHandler,
	type Handler,
	type Middleware,
	type Role,
} from './bot/bot.js';
export type {Choice} from './bot/choices.js';
export type {
	AskOptions,
	BotLog,
	Context,
	CronContext,
	ReplyOptions,
	ScheduledText,
	ScheduleHandle,
	ScheduleOptions,
	Sender,
	SendHandle,
	Target,
} from './bot/context.js';
export type {Cron, CronHandler} from './bot/cron.js';
export {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from './bot/drafts.js';
export {SendError} from './bot/failure.js';
export type {Storage} from './bot/storage.js';
export type {Client} from './client/client.js';
export {ApiError, NetworkError, ResponseError} from './client/errors.js';

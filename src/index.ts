// The package's face: all that a bot may import.

export {z} from 'zod';
export {arg} from './bot/arg.js';
export {
	type Bot,
	type BotOptions,
	bot,
	type CommandOptions,
	type ContextOf,
	type ErrorHandler,
	type Handler,
	type Middleware,
	type Module,
	module,
	type Role,
	type SessionPer,
	type Trigger,
	type TriggerHandlers,
} from './bot/bot.js';
export type {Choice} from './bot/choices.js';
export type {
	Actions,
	Asked,
	AskOptions,
	BotLog,
	ChoiceOptions,
	Context,
	CronContext,
	HttpContext,
	LaterContext,
	LaterOptions,
	Me,
	Person,
	ReceivedRequest,
	ReplyOptions,
	ScheduledText,
	ScheduleHandle,
	ScheduleOptions,
	Sender,
	SendHandle,
	Target,
	TextStream,
} from './bot/context.js';
export type {Cron, CronHandler} from './bot/cron.js';
export {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from './bot/drafts.js';
export type {EditContext, EventHandlers, JoinContext, ReactionContext} from './bot/events.js';
export {SendError} from './bot/failure.js';
export type {HttpHandler, HttpOptions, Verification} from './bot/http.js';
export type {LaterHandler} from './bot/later.js';
export type {Returned} from './bot/returned.js';
export type {Storage} from './bot/storage.js';
export type {Client} from './client/client.js';
export {type DownloadOptions, FileError} from './client/download.js';
export {ApiError, NetworkError, ResponseError} from './client/errors.js';
export {FetchError, type FetchOptions} from './client/fetch.js';

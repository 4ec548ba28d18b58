// The package's face: all that a bot may import.

export {z} from './api/zod.js';
export {arg} from './bot/arguments/arg.js';
export {type Bot, type BotOptions, bot, type ContextOf, module, type SessionPer} from './bot/bot.js';
export type {Actions, BotLog} from './bot/context/capabilities.js';
export type {Choice} from './bot/context/choices.js';
export {
	type Asked,
	type AskOptions,
	type Context,
	type Me,
	type Person,
	type ReplyOptions,
	type Sender,
	Target,
} from './bot/context/context.js';
export {type BotDraft, type DraftStatus, type Drafts, UnknownAccount} from './bot/context/drafts.js';
export type {
	ChoiceOptions,
	LaterOptions,
	ScheduledText,
	ScheduleHandle,
	ScheduleOptions,
	SendHandle,
	TextStream,
} from './bot/context/handles.js';
export type {HttpContext, HttpHandler, HttpOptions, ReceivedRequest, Verification} from './bot/context/http.js';
export type {LaterContext, LaterHandler} from './bot/context/later.js';
export type {Storage} from './bot/context/storage.js';
export type {Cron, CronContext, CronHandler} from './bot/cron.js';
export type {
	AnswerHandler,
	AnswerOptions,
	CommandOptions,
	ErrorHandler,
	Handler,
	Middleware,
	Role,
	Trigger,
	TriggerHandlers,
} from './bot/declarations.js';
export type {EditContext, EventHandlers, JoinContext, ReactionContext} from './bot/events.js';
export {SendError} from './bot/failure.js';
export type {Module} from './bot/module.js';
export type {Returned} from './bot/returned.js';
export type {Client} from './client/client.js';
export {type DownloadOptions, FileError} from './client/download.js';
export {ApiError, NetworkError, ResponseError} from './client/errors.js';
export {FetchError, type FetchOptions} from './client/fetch.js';

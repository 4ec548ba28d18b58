// `bothy/testing`: talk to a bot in a test.

export type {PersonsDraft, Reaction, SentMessage} from './look.js';
export type {Person, PersonName} from './person.js';
export {
	type FailedSend,
	type Fault,
	type FaultOptions,
	type Scheduled,
	type TestBot,
	type TestBotOptions,
	testBot,
} from './test-bot.js';

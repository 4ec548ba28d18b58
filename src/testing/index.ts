// `bothy/testing`: talk to a bot in a test.

export type {FailedSend, Scheduled} from './findings.js';
export type {Person, PersonName} from './person.js';
export type {PersonsDraft, Reaction, SentMessage} from './realm-queries.js';
export {testBot} from './test-bot.js';
export type {Fault, FaultOptions, HttpCallOptions, TestBot, TestBotOptions} from './test-bot-types.js';

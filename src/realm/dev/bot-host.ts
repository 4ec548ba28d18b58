// What a bot host tells the realm of its bots. The host that starts the realm in its own process provides it.

export interface HostedBot {
	/** Address of its account. */
	readonly email: string;
	readonly name: string;
	readonly file: string;
	readonly about: string | null;
	readonly commands: readonly {readonly name: string; readonly usage: string; readonly about: string}[];
	/** Settings, as text. The values of secret ones are masked. */
	readonly config: readonly {readonly name: string; readonly value: string}[];
	/** Why it does not run. `file` and `line` say where, if that is known. */
	readonly error: {readonly reason: string; readonly file: string | null; readonly line: number | null} | null;
}

export interface HostedBots {
	readonly bots: readonly HostedBot[];
	/** When they were loaded, milliseconds since 1970. */
	readonly loaded_at_ms: number;
	/** How long the reload took, from the saved file on. Null after a start. */
	readonly reload_ms: number | null;
	/** Why the last reload failed. The previous version then keeps running. */
	readonly reload_error: string | null;
}

/** Something that a bot will say or do. */
export interface Due {
	/** Unique in its bot. */
	readonly id: string;
	/** Address of the bot's account. */
	readonly bot: string;
	/** When, milliseconds since 1970. */
	readonly due_at_ms: number;
	/** The handler that runs, or null for a message. */
	readonly handler: string | null;
	readonly text: string | null;
	/** For people: `#general > lunch`. */
	readonly to: string | null;
	/** Cron pattern and time zone of what recurs. */
	readonly every: string | null;
	/** Crons in a bot's code cannot be cancelled. */
	readonly can_cancel: boolean;
}

/** A delivery of a message, as its host's ledger has it. */
export interface HostedDelivery {
	/** Address of the bot's account. */
	readonly bot: string;
	readonly id: string;
	/** As `bothy deliveries` shows it: `done`, `failed`, `running`, … */
	readonly status: string;
	readonly runs: number;
	/** The error that a handler threw, with its stack. Begins with the reference of the apology. */
	readonly error: string | null;
	/** How many messages of the bot wait to be posted. */
	readonly pending: number;
	/** Reasons why messages of the bot were not posted. */
	readonly lost: readonly string[];
}

/** What became of a request: done, or why not. */
export type Act = {readonly done: true} | {readonly done: false; readonly reason: string};

export interface BotHost {
	/** Grows when `bots` changes. */
	revision(): number;
	bots(): HostedBots;
	/** The deliveries of a message. */
	deliveries(messageId: number): Promise<readonly HostedDelivery[]>;
	/** Soonest first. */
	due(): Promise<readonly Due[]>;
	/** Runs something at once that is due later. */
	runNow(bot: string, id: string): Promise<Act>;
	cancel(bot: string, id: string): Promise<Act>;
}

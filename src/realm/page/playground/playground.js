// Where the playground appears: a drawer beside the conversation, and a line below each message.

/** A drawer on the right of the chat; on a narrow screen, a sheet. Stays mounted while the person changes places. */
export function Playground(_props) {
	return null;
}

/** Below a message: what the bots that it called did. */
export function BelowMessage(_props) {
	return null;
}

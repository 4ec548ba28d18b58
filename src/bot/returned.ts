// The return type of handlers.

type Ignored = boolean | number | null | undefined;

/** What a handler may return. Bothy ignores it. A text does not compile, because it would not be sent: use `ctx.reply(text)`. */
// biome-ignore lint/suspicious/noConfusingVoidType: what `async` functions without a value return
export type Returned = void | Ignored | PromiseLike<void | Ignored | object>;

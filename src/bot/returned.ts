// What handlers give back.

type Ignored = boolean | number | null | undefined;

/** What a handler may return. Bothy ignores it; a text is no answer, so it does not compile: `ctx.reply(text)` says it. */
// biome-ignore lint/suspicious/noConfusingVoidType: what `async` functions without a value return
export type Returned = void | Ignored | PromiseLike<void | Ignored | object>;

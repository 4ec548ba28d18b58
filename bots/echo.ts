import {bot} from 'bothy';

export default bot({about: 'Repeats what you say'})
	.on('mention', ctx => ctx.reply(ctx.quote(ctx.text) || 'Yes?'))
	.on('direct_message', ctx => ctx.reply(ctx.quote(ctx.text) || 'Yes?'));

import {bot} from 'bothy';

export default bot({about: 'Says again what you say'})
	.on('mention', ctx => ctx.reply(ctx.quote(ctx.text) || 'Yes?'))
	.on('direct_message', ctx => ctx.reply(ctx.quote(ctx.text) || 'Yes?'));

import {bot} from 'bothy';
import {mark} from '../bot-kit.js';

export default bot({about: 'Answers at once', perMinute: 0}).hears(/f\d{4}/, ctx => ctx.reply(mark(ctx, '1')));

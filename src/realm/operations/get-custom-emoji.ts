import {handler} from '../http/handler.js';

/** None can be uploaded here. */
export const getCustomEmoji = handler('getCustomEmoji', () => ({emoji: {}}));

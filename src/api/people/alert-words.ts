import {operation, required} from '../operation.js';
import {z} from '../zod.js';

const alert_words = required(z.array(z.string()), 'Words or phrases');

const result = z.looseObject({alert_words: z.array(z.string())});

export const getAlertWords = operation({
	name: 'getAlertWords',
	method: 'GET',
	path: '/users/me/alert_words',
	about: 'List your alert words',
	callers: 'users',
	parameters: {},
	result,
});

export const addAlertWords = operation({
	name: 'addAlertWords',
	method: 'POST',
	path: '/users/me/alert_words',
	about: 'Add alert words. The answer lists all of them',
	callers: 'users',
	parameters: {alert_words},
	result,
});

export const removeAlertWords = operation({
	name: 'removeAlertWords',
	method: 'DELETE',
	path: '/users/me/alert_words',
	about: 'Remove alert words. The answer lists the others',
	callers: 'users',
	parameters: {alert_words},
	result,
});

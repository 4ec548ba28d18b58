import {effects} from './effect.js';

const SNIPPET = {title: 'Hi', content: 'Hello'};
const STORAGE = {a: '1', b: '2'};

export const savedTexts = [
	...effects(
		'editSavedSnippet',
		{
			title: ['Hey', undefined, ['Hey', 'Hello'], ['Hi', 'Hello']],
			content: ['Ho', undefined, ['Hi', 'Ho'], ['Hi', 'Hello']],
		},
		async ({alice}, given) => {
			const {saved_snippet_id} = await alice.createSavedSnippet(SNIPPET);
			await alice.editSavedSnippet({saved_snippet_id, ...given});
			const {saved_snippets} = await alice.getSavedSnippets();
			return saved_snippets.flatMap(({title, content}) => [title, content]);
		},
	),
	...effects('getStorage', {keys: [['a'], undefined, {a: '1'}, STORAGE]}, async ({alice}, given) => {
		await alice.updateStorage({storage: STORAGE});
		return (await alice.getStorage(given)).storage;
	}),
	...effects('removeStorage', {keys: [['a'], undefined, {b: '2'}, {}]}, async ({alice}, given) => {
		await alice.updateStorage({storage: STORAGE});
		await alice.removeStorage(given);
		return (await alice.getStorage()).storage;
	}),
];

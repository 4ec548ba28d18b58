// What a person does with messages: react, edit, delete, quote, upload files. A refusal becomes the notice.

export function createActions({api, store}) {
	/** Resolves to whether it worked. */
	async function attempt(what, run) {
		store.update(state => ({...state, notice: undefined}));
		try {
			await run();
			return true;
		} catch (error) {
			store.update(state => ({...state, notice: `${what}: ${error.message}`}));
			return false;
		}
	}

	return {
		attempt,
		dismiss: () => store.update(state => ({...state, notice: undefined})),
		/** Adds a reaction, or removes it if the person has it. @param emoji its name, and for a known one, its code and type */
		react(message, emoji) {
			const isSame = one => one.emoji_name === emoji.emoji_name && one.user_id === store.get().me.user_id;
			const path = `messages/${message.id}/reactions`;
			const call = message.reactions.some(isSame) ? api.delete : api.post;
			return attempt('No reaction', () => call(path, emoji));
		},
		/** The text as its author wrote it. */
		async readSource(message) {
			const {message: found} = await api.get(`messages/${message.id}`, {apply_markdown: false});
			return found.content;
		},
		edit: (message, content) => attempt('Not changed', () => api.patch(`messages/${message.id}`, {content})),
		remove: message => attempt('Not deleted', () => api.delete(`messages/${message.id}`)),
		/** Asks the compose box to insert a text. */
		insert(text) {
			store.update(state => ({...state, insertion: {text, number: (state.insertion?.number ?? 0) + 1}}));
		},
		/** Quotes a message in the compose box. @param link the address of the message */
		async quote(message, link) {
			await attempt('Not quoted', async () => {
				const source = await this.readSource(message);
				const fence = '`'.repeat(Math.max(3, ...[...source.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
				const who = `@_**${message.sender_full_name}|${message.sender_id}** [said](${link}):`;
				this.insert(`${who}\n${fence}quote\n${source}\n${fence}\n`);
			});
		},
		/** @returns a link to the uploaded file, in Markdown */
		async upload(file) {
			const form = new FormData();
			form.append('filename', file, file.name);
			const {uri, url = uri, filename = file.name} = await api.post('user_uploads', form);
			return `[${filename.replaceAll(/[[\]]/g, '')}](${url})`;
		},
		/** A URL that opens an uploaded file for a minute, also in an `<img>`. */
		async urlOfFile(path) {
			const {url} = await api.get(path.replace(/^\//, ''));
			return url;
		},
	};
}

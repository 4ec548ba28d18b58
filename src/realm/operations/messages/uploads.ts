import {handler} from '../../http/handler.js';
import {usedBytes} from '../../uploads/limits.js';
import {temporaryUrl} from '../../uploads/serve.js';
import {keepUpload, listAttachments, openUpload, removeUpload} from '../../uploads/uploads.js';

const FIRST_LEVEL_WITH_URL = 272;
const FIRST_LEVEL_WITH_NAME = 285;

export const uploadFile = handler('uploadFile', async ({services, caller, parameters: {file}}) => {
	const {path, name} = await keepUpload(services, caller, file);
	const url = `/user_uploads/${path}`;

	return {
		uri: url,
		...(services.featureLevel >= FIRST_LEVEL_WITH_URL && {url}),
		...(services.featureLevel >= FIRST_LEVEL_WITH_NAME && {filename: name}),
	};
});

export const getFileTemporaryUrl = handler('getFileTemporaryUrl', ({services, caller, parameters}) => {
	const {realm_id_str, filename} = parameters;
	return {url: temporaryUrl(services, openUpload(services.store, caller, `${realm_id_str}/${filename}`))};
});

export const getAttachments = handler('getAttachments', ({services: {store}, caller}) => ({
	attachments: listAttachments(store, caller),
	upload_space_used: usedBytes(store),
}));

export const removeAttachment = handler('removeAttachment', ({services, caller, parameters}) => {
	removeUpload(services, caller, parameters.attachment_id);
	return {};
});

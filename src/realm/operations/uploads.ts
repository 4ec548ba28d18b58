import {handler} from '../http/handler.js';
import {keepUpload} from '../uploads/uploads.js';

const FIRST_LEVEL_WITH_URL = 272;
const FIRST_LEVEL_WITH_NAME = 285;

export const uploadFile = handler('uploadFile', async ({services, caller, parameters: {file}}) => {
	const url = `/user_uploads/${await keepUpload(services, caller, file)}`;

	return {
		uri: url,
		...(services.featureLevel >= FIRST_LEVEL_WITH_URL && {url}),
		...(services.featureLevel >= FIRST_LEVEL_WITH_NAME && {filename: file.name}),
	};
});

import {handler} from '../http/handler.js';
import {editMessage} from '../messages/edit.js';

const FIRST_LEVEL_THAT_TELLS_UPLOADS = 285;

export const updateMessage = handler('updateMessage', ({services, caller, parameters}) => {
	const detached = editMessage(services, {
		editor: caller,
		messageId: parameters.message_id,
		content: parameters.content,
		topic: parameters.topic,
		channelId: parameters.stream_id,
		mode: parameters.propagate_mode,
		noticeInOldPlace: parameters.send_notification_to_old_thread,
		noticeInNewPlace: parameters.send_notification_to_new_thread,
		expectedSha256: parameters.prev_content_sha256,
	});

	return services.featureLevel >= FIRST_LEVEL_THAT_TELLS_UPLOADS ? {detached_uploads: detached} : {};
});

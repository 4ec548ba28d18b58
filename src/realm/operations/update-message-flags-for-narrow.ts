import {missingArgument} from '../errors.js';
import {handler} from '../http/handler.js';
import {selectAround} from '../messages/around.js';
import {presentIgnored, updateFlags} from '../messages/update-flags.js';

export const updateMessageFlagsForNarrow = handler(
	'updateMessageFlagsForNarrow',
	({services, caller, parameters}) => {
		const {anchor, op, flag} = parameters;
		if (anchor === undefined) {
			throw missingArgument('anchor');
		}

		const {rows, found_oldest, found_newest} = selectAround(services.store, caller, {...parameters, anchor});
		const ids = rows.map(({id}) => id);
		const {updatedCount, ignoredChannelIds} = updateFlags(services, caller, {messageIds: ids, op, flag});

		return {
			processed_count: ids.length,
			updated_count: updatedCount,
			first_processed_id: ids[0] ?? null,
			last_processed_id: ids.at(-1) ?? null,
			found_oldest,
			found_newest,
			...presentIgnored(services, ignoredChannelIds),
		};
	},
	['anchor'],
);

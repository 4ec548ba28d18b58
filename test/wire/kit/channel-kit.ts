// What several tests of channels ask for.

/** The form's part for a client that knows archived channels. */
export const KNOWS_ARCHIVED = '&client_capabilities={"notification_settings_null":true,"archived_channels":true}';

/** Parameters of new and changed channels, the levels at which they came, a value to set, and what shows below the level. */
export const CHANNEL_LEVELS: ReadonlyArray<
	readonly [name: string, level: number, value?: boolean | number | string, below?: boolean | number]
> = [
	['is_default_stream', 200, true, false],
	['can_remove_subscribers_group', 320, 5, 6],
	['can_administer_channel_group', 325],
	['can_send_message_group', 333],
	['can_add_subscribers_group', 342],
	['can_subscribe_group', 357],
	['topics_policy', 392, 'disable_empty_topic'],
	['can_move_messages_out_of_channel_group', 396],
	['can_move_messages_within_channel_group', 396],
	['can_resolve_topics_group', 402],
	['can_delete_any_message_group', 407],
	['can_delete_own_message_group', 407],
	['can_create_topic_group', 441],
];

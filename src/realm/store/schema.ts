// The realm's tables. Each entry takes a database one version further; entries are only ever added at the end.

export const migrations: readonly string[] = [
	`
	CREATE TABLE organization (
		id INTEGER PRIMARY KEY CHECK (id = 1),
		name TEXT NOT NULL,
		description TEXT NOT NULL,
		domain TEXT NOT NULL,
		topics_policy TEXT NOT NULL,
		can_mention_many_users_group INTEGER NOT NULL
	);

	CREATE TABLE accounts (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		email TEXT NOT NULL UNIQUE COLLATE NOCASE,
		full_name TEXT NOT NULL,
		role INTEGER NOT NULL,
		is_active INTEGER NOT NULL DEFAULT 1,
		api_key TEXT NOT NULL,
		date_joined INTEGER NOT NULL,
		timezone TEXT NOT NULL DEFAULT '',
		bot_type INTEGER,
		bot_owner_id INTEGER REFERENCES accounts (id),
		is_system_bot INTEGER NOT NULL DEFAULT 0,
		webhook_token TEXT,
		payload_url TEXT
	);
	CREATE INDEX accounts_by_name ON accounts (full_name COLLATE NOCASE);

	CREATE TABLE user_groups (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL UNIQUE COLLATE NOCASE,
		description TEXT NOT NULL,
		is_system_group INTEGER NOT NULL DEFAULT 0,
		deactivated INTEGER NOT NULL DEFAULT 0,
		date_created INTEGER,
		creator_id INTEGER REFERENCES accounts (id),
		can_mention_group INTEGER REFERENCES user_groups (id)
	);
	CREATE TABLE group_members (
		group_id INTEGER NOT NULL REFERENCES user_groups (id),
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		PRIMARY KEY (group_id, user_id)
	) WITHOUT ROWID;
	CREATE TABLE group_subgroups (
		group_id INTEGER NOT NULL REFERENCES user_groups (id),
		subgroup_id INTEGER NOT NULL REFERENCES user_groups (id),
		PRIMARY KEY (group_id, subgroup_id)
	) WITHOUT ROWID;

	CREATE TABLE channels (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL UNIQUE COLLATE NOCASE,
		description TEXT NOT NULL,
		date_created INTEGER NOT NULL,
		creator_id INTEGER REFERENCES accounts (id),
		is_archived INTEGER NOT NULL DEFAULT 0,
		invite_only INTEGER NOT NULL DEFAULT 0,
		is_web_public INTEGER NOT NULL DEFAULT 0,
		is_default INTEGER NOT NULL DEFAULT 0,
		history_public_to_subscribers INTEGER NOT NULL DEFAULT 1,
		topics_policy TEXT NOT NULL DEFAULT 'inherit',
		can_send_message_group INTEGER NOT NULL REFERENCES user_groups (id),
		can_create_topic_group INTEGER NOT NULL REFERENCES user_groups (id)
	);
	CREATE TABLE subscriptions (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		channel_id INTEGER NOT NULL REFERENCES channels (id),
		color TEXT NOT NULL,
		PRIMARY KEY (user_id, channel_id)
	) WITHOUT ROWID;
	CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id);

	-- A conversation: a channel, or a set of people (their IDs in ascending order, the sender's too).
	CREATE TABLE recipients (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		channel_id INTEGER UNIQUE REFERENCES channels (id),
		member_ids TEXT UNIQUE
	);

	CREATE TABLE messages (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		sender_id INTEGER NOT NULL REFERENCES accounts (id),
		recipient_id INTEGER NOT NULL REFERENCES recipients (id),
		topic TEXT NOT NULL,
		topic_key TEXT NOT NULL,
		content TEXT NOT NULL,
		rendered_content TEXT NOT NULL,
		timestamp INTEGER NOT NULL,
		client TEXT NOT NULL
	);
	CREATE INDEX messages_by_conversation ON messages (recipient_id, topic_key, id);
	CREATE INDEX messages_by_sender ON messages (sender_id, id);

	CREATE TABLE user_messages (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		message_id INTEGER NOT NULL REFERENCES messages (id),
		flags INTEGER NOT NULL,
		PRIMARY KEY (user_id, message_id)
	) WITHOUT ROWID;

	CREATE TABLE submessages (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		message_id INTEGER NOT NULL REFERENCES messages (id),
		sender_id INTEGER NOT NULL REFERENCES accounts (id),
		msg_type TEXT NOT NULL,
		content TEXT NOT NULL
	);
	CREATE INDEX submessages_by_message ON submessages (message_id);

	-- The one work queue of outgoing webhooks; a row goes when its outcome stands in the conversation.
	CREATE TABLE webhook_calls (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		position INTEGER NOT NULL,
		bot_id INTEGER NOT NULL REFERENCES accounts (id),
		message_id INTEGER NOT NULL REFERENCES messages (id),
		trigger TEXT NOT NULL,
		message TEXT NOT NULL,
		failed_tries INTEGER NOT NULL DEFAULT 0
	);
	CREATE INDEX webhook_calls_by_position ON webhook_calls (position);
	`,
	`
	-- What somebody has set otherwise than it is by default; values are JSON.
	CREATE TABLE user_settings (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		name TEXT NOT NULL,
		value TEXT NOT NULL,
		PRIMARY KEY (user_id, name)
	) WITHOUT ROWID;

	-- Recipients are a JSON list of IDs: one channel, or people without the owner.
	CREATE TABLE drafts (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		type TEXT NOT NULL,
		recipients TEXT NOT NULL,
		topic TEXT NOT NULL,
		content TEXT NOT NULL,
		edited REAL NOT NULL
	);
	CREATE INDEX drafts_by_user ON drafts (user_id, edited);
	`,
	`
	-- Either a channel, or a JSON list of people: the others in the conversation, or just the sender.
	-- A sent message stays, so that a change that comes too late gets the right error.
	CREATE TABLE scheduled_messages (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		sender_id INTEGER NOT NULL REFERENCES accounts (id),
		channel_id INTEGER REFERENCES channels (id),
		recipients TEXT,
		topic TEXT NOT NULL,
		content TEXT NOT NULL,
		rendered_content TEXT NOT NULL,
		delivery_timestamp INTEGER NOT NULL,
		read_by_sender INTEGER NOT NULL,
		client TEXT NOT NULL,
		state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'failed', 'sent')),
		failure TEXT
	);
	CREATE INDEX scheduled_messages_by_time ON scheduled_messages (state, delivery_timestamp);
	CREATE INDEX scheduled_messages_by_sender ON scheduled_messages (sender_id, delivery_timestamp);

	CREATE TABLE reactions (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		emoji_name TEXT NOT NULL,
		emoji_code TEXT NOT NULL,
		reaction_type TEXT NOT NULL,
		UNIQUE (message_id, user_id, emoji_code, reaction_type)
	);
	`,
	`
	ALTER TABLE accounts ADD COLUMN presence_enabled INTEGER NOT NULL DEFAULT 1;

	-- When people were here last. Rows stay, so the highest update_id is the newest of the organization.
	CREATE TABLE presences (
		user_id INTEGER PRIMARY KEY REFERENCES accounts (id),
		last_active INTEGER,
		last_connected INTEGER NOT NULL,
		update_id INTEGER NOT NULL
	);
	CREATE INDEX presences_by_update ON presences (update_id);
	`,
	`
	-- What a message was before each change; what did not change is null.
	CREATE TABLE message_edits (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		timestamp INTEGER NOT NULL,
		prev_content TEXT,
		prev_rendered_content TEXT,
		prev_channel_id INTEGER,
		channel_id INTEGER,
		prev_topic TEXT,
		topic TEXT
	);
	CREATE INDEX message_edits_by_message ON message_edits (message_id, id);

	-- A webhook in line outlives its message: it carries all that it needs.
	CREATE TABLE new_webhook_calls (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		position INTEGER NOT NULL,
		bot_id INTEGER NOT NULL REFERENCES accounts (id),
		message_id INTEGER NOT NULL,
		trigger TEXT NOT NULL,
		message TEXT NOT NULL,
		failed_tries INTEGER NOT NULL DEFAULT 0
	);
	INSERT INTO new_webhook_calls SELECT id, position, bot_id, message_id, trigger, message, failed_tries FROM webhook_calls;
	DROP TABLE webhook_calls;
	ALTER TABLE new_webhook_calls RENAME TO webhook_calls;
	CREATE INDEX webhook_calls_by_position ON webhook_calls (position);
	`,
	`
	-- What somebody thinks of a topic: 1 muted, 2 unmuted, 3 followed. Where they think nothing there is no row.
	CREATE TABLE user_topics (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		channel_id INTEGER NOT NULL REFERENCES channels (id),
		topic_key TEXT NOT NULL,
		topic TEXT NOT NULL,
		visibility_policy INTEGER NOT NULL CHECK (visibility_policy IN (1, 2, 3)),
		last_updated INTEGER NOT NULL,
		PRIMARY KEY (user_id, channel_id, topic_key)
	) WITHOUT ROWID;

	ALTER TABLE subscriptions ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0;

	CREATE TABLE push_tokens (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		service TEXT NOT NULL CHECK (service IN ('apns', 'fcm')),
		token TEXT NOT NULL,
		app_id TEXT,
		PRIMARY KEY (user_id, service, token)
	) WITHOUT ROWID;
	`,
	`
	-- Who may do what with a group, where that is not as usual: a group's ID, or people and groups, as JSON.
	CREATE TABLE group_settings (
		group_id INTEGER NOT NULL REFERENCES user_groups (id),
		name TEXT NOT NULL,
		value TEXT NOT NULL,
		PRIMARY KEY (group_id, name)
	) WITHOUT ROWID;
	INSERT INTO group_settings
		SELECT id, 'can_mention_group', can_mention_group FROM user_groups WHERE can_mention_group IS NOT NULL;
	ALTER TABLE user_groups DROP COLUMN can_mention_group;
	`,
	`
	-- Who may do what in a channel, where that is not as usual: a group's ID, or people and groups, as JSON.
	CREATE TABLE channel_settings (
		channel_id INTEGER NOT NULL REFERENCES channels (id),
		name TEXT NOT NULL,
		value TEXT NOT NULL,
		PRIMARY KEY (channel_id, name)
	) WITHOUT ROWID;
	INSERT INTO channel_settings SELECT id, 'can_send_message_group', can_send_message_group FROM channels;
	INSERT INTO channel_settings SELECT id, 'can_create_topic_group', can_create_topic_group FROM channels;
	ALTER TABLE channels DROP COLUMN can_send_message_group;
	ALTER TABLE channels DROP COLUMN can_create_topic_group;

	-- Days after which messages go; null is what the organization has, -1 is never.
	ALTER TABLE channels ADD COLUMN message_retention_days INTEGER;

	-- Unsubscribing keeps a person's settings for the channel, for a later subscription.
	ALTER TABLE subscriptions RENAME TO all_subscriptions;
	ALTER TABLE all_subscriptions ADD COLUMN is_over INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE all_subscriptions ADD COLUMN pin_to_top INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE all_subscriptions ADD COLUMN desktop_notifications INTEGER;
	ALTER TABLE all_subscriptions ADD COLUMN audible_notifications INTEGER;
	ALTER TABLE all_subscriptions ADD COLUMN push_notifications INTEGER;
	ALTER TABLE all_subscriptions ADD COLUMN email_notifications INTEGER;
	ALTER TABLE all_subscriptions ADD COLUMN wildcard_mentions_notify INTEGER;
	CREATE VIEW subscriptions AS SELECT * FROM all_subscriptions WHERE NOT is_over;
	`,
	`
	-- Event queues while the realm is down, as JSON.
	CREATE TABLE event_queues (id TEXT PRIMARY KEY, queue TEXT NOT NULL);

	ALTER TABLE organization ADD COLUMN deactivated INTEGER NOT NULL DEFAULT 0;

	-- Keys are words in lower case.
	CREATE TABLE alert_words (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		word TEXT NOT NULL,
		key TEXT NOT NULL,
		UNIQUE (user_id, key)
	);
	`,
	`
	-- Rights that go with no role, and profiles that were deleted with their accounts' deactivation.
	ALTER TABLE accounts ADD COLUMN can_create_users INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE accounts ADD COLUMN can_change_user_emails INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE accounts ADD COLUMN is_deleted INTEGER NOT NULL DEFAULT 0;
	UPDATE accounts SET can_create_users = 1, can_change_user_emails = 1 WHERE role = 100;

	CREATE TABLE profile_fields (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL UNIQUE,
		type INTEGER NOT NULL CHECK (type BETWEEN 1 AND 8),
		hint TEXT NOT NULL,
		field_data TEXT NOT NULL,
		position INTEGER NOT NULL,
		display_in_profile_summary INTEGER NOT NULL,
		required INTEGER NOT NULL,
		editable_by_user INTEGER NOT NULL
	);
	-- Text; for fields of the type users a JSON list of IDs.
	CREATE TABLE profile_values (
		field_id INTEGER NOT NULL REFERENCES profile_fields (id) ON DELETE CASCADE,
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		value TEXT NOT NULL,
		PRIMARY KEY (user_id, field_id)
	) WITHOUT ROWID;
	`,
	`
	-- What people who join later start with, where it is not as usual; values are JSON.
	CREATE TABLE realm_user_settings_defaults (
		name TEXT PRIMARY KEY,
		value TEXT NOT NULL
	) WITHOUT ROWID;

	-- Invisibility is a setting like the others.
	INSERT INTO user_settings (user_id, name, value)
		SELECT id, 'presence_enabled', 'false' FROM accounts WHERE NOT presence_enabled;
	ALTER TABLE accounts DROP COLUMN presence_enabled;
	`,
	`
	-- What people say they are up to.
	CREATE TABLE user_statuses (
		user_id INTEGER PRIMARY KEY REFERENCES accounts (id),
		status_text TEXT NOT NULL DEFAULT '',
		emoji_name TEXT NOT NULL DEFAULT '',
		emoji_code TEXT NOT NULL DEFAULT '',
		reaction_type TEXT NOT NULL DEFAULT ''
	);

	-- When people last moved or typed in a client.
	CREATE TABLE user_activity (
		user_id INTEGER PRIMARY KEY REFERENCES accounts (id),
		last_input INTEGER NOT NULL
	);

	-- What bots are made with.
	ALTER TABLE accounts ADD COLUMN service_name TEXT;
	ALTER TABLE accounts ADD COLUMN interface INTEGER NOT NULL DEFAULT 1;
	ALTER TABLE accounts ADD COLUMN default_sending_channel_id INTEGER REFERENCES channels (id);
	ALTER TABLE accounts ADD COLUMN default_all_public_streams INTEGER NOT NULL DEFAULT 0;
	`,
	`
	CREATE TABLE uploads (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		owner_id INTEGER NOT NULL REFERENCES accounts (id),
		path TEXT NOT NULL UNIQUE,
		name TEXT NOT NULL,
		type TEXT NOT NULL,
		size INTEGER NOT NULL,
		created_ms INTEGER NOT NULL,
		bytes BLOB NOT NULL
	);
	-- Messages that show an upload to their readers.
	CREATE TABLE upload_messages (
		upload_id INTEGER NOT NULL REFERENCES uploads (id),
		message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
		PRIMARY KEY (upload_id, message_id)
	) WITHOUT ROWID;
	CREATE INDEX upload_messages_by_message ON upload_messages (message_id);

	-- What becomes a link in every message and topic.
	CREATE TABLE linkifiers (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		pattern TEXT NOT NULL UNIQUE,
		url_template TEXT NOT NULL
	);
	`,
	`
	-- The service keeps no rows for outgoing-webhook and embedded bots.
	DELETE FROM user_messages WHERE user_id IN (SELECT id FROM accounts WHERE bot_type IN (3, 4));
	`,
	`
	ALTER TABLE accounts ADD COLUMN default_events_register_channel_id INTEGER REFERENCES channels (id);
	CREATE TABLE muted_users (
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		muted_id INTEGER NOT NULL REFERENCES accounts (id),
		timestamp INTEGER NOT NULL,
		PRIMARY KEY (user_id, muted_id)
	) WITHOUT ROWID;
	`,
	`
	CREATE TABLE bot_storage (
		account_id INTEGER NOT NULL REFERENCES accounts (id),
		key TEXT NOT NULL,
		value TEXT NOT NULL,
		PRIMARY KEY (account_id, key)
	);

	CREATE TABLE custom_emoji (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		author_id INTEGER NOT NULL REFERENCES accounts (id),
		deactivated INTEGER NOT NULL DEFAULT 0,
		path TEXT NOT NULL,
		type TEXT NOT NULL,
		bytes BLOB NOT NULL
	);
	CREATE INDEX custom_emoji_by_name ON custom_emoji (name);
	`,
	`
	CREATE TABLE saved_snippets (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		user_id INTEGER NOT NULL REFERENCES accounts (id),
		title TEXT NOT NULL,
		content TEXT NOT NULL,
		date_created INTEGER NOT NULL
	);

	-- Where the code blocks of a language can be run.
	CREATE TABLE playgrounds (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		name TEXT NOT NULL,
		pygments_language TEXT NOT NULL,
		url_template TEXT NOT NULL,
		UNIQUE (pygments_language, name)
	);

	ALTER TABLE linkifiers ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
	UPDATE linkifiers SET position = id;
	`,
	`
	-- By email, or by a link for many people.
	CREATE TABLE invites (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		email TEXT,
		link_key TEXT,
		invited_by INTEGER NOT NULL REFERENCES accounts (id),
		invited INTEGER NOT NULL,
		expiry_date INTEGER,
		invited_as INTEGER NOT NULL,
		notifies INTEGER NOT NULL,
		revoked INTEGER NOT NULL DEFAULT 0
	);
	`,
];

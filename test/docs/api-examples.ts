// One call of each operation for docs/api.md, in the order in which they are made, in one realm. What a call needs from earlier
// ones it takes from their answers.

export type Who = 'olivia' | 'adam' | 'alice' | 'bob' | 'carla' | 'gus' | 'echo' | 'nobody';

type Values = Readonly<Record<string, unknown>>;

export interface Example {
	/** Who calls. Default: alice, a member. */
	readonly as?: Who;
	readonly given: Values;
	/** Calls that the service refuses, by what is wrong with them: the fields that differ, and perhaps another caller. */
	readonly refused?: Readonly<Record<string, {readonly given?: Values; readonly as?: Who}>>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Answers = Readonly<Record<string, any>>;

const SOUP = {type: 'channel', to: 'lunch', topic: 'today', content: 'Soup is **ready**'} as const;
const TOMORROW = Date.parse('2026-11-22T09:00:00Z') / 1000;
const DRAFT = {type: 'stream', to: [2], topic: 'today', content: 'Who wants'} as const;
/** A PNG of one pixel. */
const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const noText = {'no text': {given: {content: ''}}} as const;

export const EXAMPLES: Readonly<Record<string, Example | ((answers: Answers) => Example)>> = {
	sendMessage: {
		given: SOUP,
		refused: {
			...noText,
			'no such channel': {given: {to: 'moon'}},
			'no such user': {given: {type: 'direct', to: [999_999]}},
			'the caller may not post there': {as: 'gus', given: {to: 'announcements'}},
		},
	},
	getMessage: ({sendMessage}) => ({given: {message_id: sendMessage.id, apply_markdown: false}}),
	getMessages: {
		given: {anchor: 'newest', num_before: 20, narrow: [{operator: 'channel', operand: 'lunch'}], apply_markdown: false},
		refused: {
			'no such operator': {given: {narrow: [{operator: 'colour', operand: 'red'}]}},
			'no such channel': {given: {narrow: [{operator: 'channel', operand: 'moon'}]}},
		},
	},
	updateMessage: ({sendMessage}) => ({
		given: {message_id: sendMessage.id, content: 'Soup is **gone**'},
		refused: {"somebody else's message": {as: 'bob'}, 'nothing to change': {given: {content: undefined}}},
	}),
	getMessageHistory: ({sendMessage}) => ({given: {message_id: sendMessage.id}}),
	renderMessage: {given: {content: 'Soup is **ready**'}},
	updateMessageFlags: ({sendMessage}) => ({
		given: {messages: [sendMessage.id], op: 'add', flag: 'starred'},
		refused: {'no such flag': {given: {flag: 'shiny'}}},
	}),
	updateMessageFlagsForNarrow: {
		given: {
			anchor: 'newest',
			num_before: 10,
			num_after: 0,
			narrow: [{operator: 'channel', operand: 'general'}],
			op: 'add',
			flag: 'read',
		},
		refused: {'no such flag': {given: {flag: 'shiny'}}},
	},
	getReadReceipts: ({sendMessage}) => ({given: {message_id: sendMessage.id}}),
	checkMessagesMatchNarrow: ({sendMessage}) => ({
		given: {msg_ids: [sendMessage.id], narrow: [{operator: 'channel', operand: 'lunch'}]},
		refused: {'no such operator': {given: {narrow: [{operator: 'colour', operand: 'red'}]}}},
	}),
	markAllAsRead: {given: {}},
	markStreamAsRead: {given: {stream_id: 2}},
	markTopicAsRead: {
		given: {stream_id: 2, topic_name: 'today'},
		refused: {'no such topic': {given: {topic_name: 'moon'}}},
	},
	uploadFile: {given: {file: new File(['Soup, bread'], 'menu.txt', {type: 'text/plain'})}},
	getFileTemporaryUrl: ({uploadFile}) => {
		const [, realm, file] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(uploadFile.url) ?? [];
		return {given: {realm_id_str: Number(realm), filename: file}};
	},
	getAttachments: {given: {}},
	removeAttachment: ({getAttachments}) => ({
		given: {attachment_id: getAttachments.attachments[0].id},
		refused: {'no such file': {given: {attachment_id: 999_999}}},
	}),
	uploadCustomEmoji: {
		as: 'olivia',
		given: {emoji_name: 'soup', file: new File([PICTURE], 'soup.png', {type: 'image/png'})},
	},
	deactivateCustomEmoji: {
		as: 'olivia',
		given: {emoji_name: 'soup'},
		refused: {'no such emoji': {given: {emoji_name: 'no_such_emoji'}}},
	},
	createSavedSnippet: {given: {title: 'Lunch', content: 'Soup is ready'}},
	sendInvites: {
		given: {invitee_emails: 'zoe@example.com', stream_ids: [1]},
		refused: {
			'a wrong address': {given: {invitee_emails: 'zoe'}},
			'a member invites an owner': {given: {invite_as: 100}},
		},
	},
	getInvites: {given: {}},
	resendEmailInvite: ({getInvites}) => ({
		given: {invite_id: getInvites.invites[0].id},
		refused: {"somebody else's invitation": {as: 'bob'}},
	}),
	revokeEmailInvite: ({getInvites}) => ({
		given: {invite_id: getInvites.invites[0].id},
		refused: {'no such invitation': {given: {invite_id: 99}}},
	}),
	createInviteLink: {as: 'olivia', given: {invite_as: 600}, refused: {'the caller is a member': {as: 'alice'}}},
	revokeInviteLink: {as: 'olivia', given: {invite_id: 2}, refused: {'a link of an administrator': {as: 'alice'}}},
	getSavedSnippets: {given: {}},
	editSavedSnippet: ({createSavedSnippet}) => ({
		given: {saved_snippet_id: createSavedSnippet.saved_snippet_id, title: 'Soup'},
		refused: {"somebody else's snippet": {as: 'bob'}},
	}),
	deleteSavedSnippet: ({createSavedSnippet}) => ({
		given: {saved_snippet_id: createSavedSnippet.saved_snippet_id},
		refused: {"somebody else's snippet": {as: 'bob'}},
	}),
	updateStorage: {as: 'echo', given: {storage: {soup: 'leek', bread: 'rye'}}},
	getStorage: {as: 'echo', given: {keys: ['soup']}, refused: {'no such key': {given: {keys: ['tea']}}}},
	removeStorage: {as: 'echo', given: {keys: ['soup']}},
	addSubmessage: ({sendMessage}) => ({
		given: {
			message_id: sendMessage.id,
			msg_type: 'widget',
			content: '{"type":"vote","key":"canned,0","vote":1}',
		},
		refused: {'the message has no widget': {as: 'bob'}},
	}),
	addReaction: ({sendMessage}) => ({
		given: {message_id: sendMessage.id, emoji_name: 'heart'},
		refused: {'no such emoji': {given: {emoji_name: 'no_such_emoji'}}},
	}),
	removeReaction: ({sendMessage}) => ({
		given: {message_id: sendMessage.id, emoji_name: 'heart'},
		refused: {'nobody reacted with it': {given: {emoji_name: 'tada'}}},
	}),
	deleteMessage: ({sendMessage}) => ({
		as: 'olivia',
		given: {message_id: sendMessage.id},
		refused: {'the caller may not delete it': {as: 'bob'}},
	}),
	createScheduledMessage: {
		given: {type: 'channel', to: 2, topic: 'today', content: 'Soup', scheduled_delivery_timestamp: TOMORROW},
		refused: {...noText, 'a time that has passed': {given: {scheduled_delivery_timestamp: 1_000_000_000}}},
	},
	getScheduledMessages: {given: {}},
	updateScheduledMessage: ({createScheduledMessage: {scheduled_message_id}}) => ({
		given: {scheduled_message_id, content: 'Soup and bread'},
	}),
	deleteScheduledMessage: ({createScheduledMessage: {scheduled_message_id}}) => ({given: {scheduled_message_id}}),
	createDrafts: {
		given: {drafts: [DRAFT]},
		refused: {'no text': {given: {drafts: [{...DRAFT, content: ' '}]}}},
	},
	getDrafts: {given: {}},
	editDraft: ({createDrafts}) => ({
		given: {draft_id: createDrafts.ids[0], draft: {...DRAFT, content: 'Who wants soup?'}},
	}),
	deleteDraft: ({createDrafts}) => ({given: {draft_id: createDrafts.ids[0]}}),
	setTypingStatus: {given: {op: 'start', type: 'channel', stream_id: 2, topic: 'today'}},
	register: {given: {event_types: ['message'], fetch_event_types: ['alert_words'], apply_markdown: false}},
	getEvents: ({register: {queue_id}}) => ({
		given: {queue_id, last_event_id: -1, dont_block: true},
		refused: {'no such queue': {given: {queue_id: 'gone'}}},
	}),
	deleteQueue: ({register: {queue_id}}) => ({
		given: {queue_id},
		refused: {'no such queue': {given: {queue_id: 'gone'}}},
	}),
	getStreams: {given: {include_subscribed: true}, refused: {'the caller may not': {given: {include_all_active: true}}}},
	getStreamId: {given: {stream: 'lunch'}, refused: {'no such channel': {given: {stream: 'moon'}}}},
	getStreamById: {given: {stream_id: 2}},
	getStreamEmailAddress: {
		given: {stream_id: 2},
		refused: {'no such bot': {given: {sender_id: 999_999}}},
	},
	getStreamTopics: {given: {stream_id: 1}},
	getSubscribers: {given: {stream_id: 2}},
	createChannel: {
		given: {name: 'garden', subscribers: [4, 5], description: 'Plants and tools'},
		refused: {'the name is taken': {given: {name: 'lunch'}}, 'no name': {given: {name: ''}}},
	},
	updateStream: ({createChannel}) => ({
		given: {stream_id: createChannel.id, new_name: 'allotment'},
		refused: {'the name is taken': {given: {new_name: 'lunch'}}, 'the caller may not': {as: 'bob'}},
	}),
	archiveStream: ({createChannel}) => ({
		given: {stream_id: createChannel.id},
		refused: {'the caller may not': {as: 'bob'}},
	}),
	getSubscriptions: {given: {}},
	subscribe: {
		given: {subscriptions: [{name: 'kitchen'}]},
		refused: {'no name': {given: {subscriptions: [{name: ''}]}}},
	},
	updateSubscriptionSettings: {
		given: {subscription_data: [{stream_id: 2, property: 'is_muted', value: true}]},
		refused: {
			'not subscribed': {given: {subscription_data: [{stream_id: 999_999, property: 'is_muted', value: true}]}},
		},
	},
	unsubscribe: {given: {subscriptions: ['kitchen']}, refused: {'no such channel': {given: {subscriptions: ['moon']}}}},
	getSubscriptionStatus: {given: {user_id: 5, stream_id: 2}},
	addDefaultStream: {as: 'olivia', given: {stream_id: 2}},
	removeDefaultStream: {as: 'olivia', given: {stream_id: 2}},
	deleteTopic: {as: 'olivia', given: {stream_id: 1, topic_name: 'welcome'}},
	updateUserTopic: {given: {stream_id: 2, topic: 'today', visibility_policy: 3}},
	muteTopic: {
		given: {stream_id: 2, topic: 'yesterday', op: 'add'},
	},
	getUsers: {given: {user_ids: [4, 5]}},
	getOwnUser: {given: {}},
	getUser: {given: {user_id: 5}},
	getUserByEmail: {
		given: {email: 'bob@bothy.example'},
		refused: {'no such user': {given: {email: 'nobody@bothy.example'}}},
	},
	createUser: {
		as: 'olivia',
		given: {email: 'dana@bothy.example', password: 'correct horse', full_name: 'Dana Doe'},
		refused: {'the address is taken': {given: {email: 'bob@bothy.example'}}},
	},
	updateUser: {as: 'olivia', given: {user_id: 6, full_name: 'Carla C. Cruz'}},
	updateUserByEmail: {
		as: 'olivia',
		given: {email: 'carla@bothy.example', full_name: 'Carla Cruz'},
		refused: {'no such user': {given: {email: 'nobody@bothy.example'}}},
	},
	deactivateUser: {as: 'olivia', given: {user_id: 6}, refused: {'the caller may not': {as: 'bob'}}},
	reactivateUser: {as: 'olivia', given: {user_id: 6}, refused: {'the caller may not': {as: 'bob'}}},
	muteUser: {given: {muted_user_id: 6}, refused: {'the caller': {given: {muted_user_id: 4}}}},
	unmuteUser: {given: {muted_user_id: 6}},
	getUserGroups: {given: {include_deactivated_groups: false}},
	createUserGroup: {
		given: {name: 'cooks', description: 'Who cooks today', members: [4, 5]},
		refused: {'the name is taken': {given: {name: 'kitchen'}}},
	},
	updateUserGroup: ({createUserGroup: {group_id}}) => ({
		given: {user_group_id: group_id, description: 'Who cooks this week'},
	}),
	updateUserGroupMembers: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id, add: [6]}}),
	getUserGroupMembers: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id}}),
	getIsUserGroupMember: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id, user_id: 5}}),
	updateUserGroupSubgroups: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id, add: [9]}}),
	getUserGroupSubgroups: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id}}),
	deactivateUserGroup: ({createUserGroup: {group_id}}) => ({given: {user_group_id: group_id}}),
	getProfileFields: {given: {}},
	createProfileField: {
		as: 'olivia',
		given: {name: 'Team', field_type: 1, hint: 'The team you work in'},
		refused: {'the name is taken': {given: {name: 'Desk'}}},
	},
	updateProfileField: ({createProfileField}) => ({
		as: 'olivia',
		given: {field_id: createProfileField.id, name: 'Crew'},
	}),
	updateProfileData: {given: {data: [{id: 1, value: 'By the window'}]}},
	removeProfileData: {given: {data: [1]}},
	deleteProfileField: ({createProfileField}) => ({as: 'olivia', given: {field_id: createProfileField.id}}),
	reorderProfileFields: ({getProfileFields}) => ({
		as: 'olivia',
		given: {order: getProfileFields.custom_fields.map(({id}: {id: number}) => id).reverse()},
		refused: {'a field is missing': {given: {order: [1]}}},
	}),
	updateSettings: {given: {enter_sends: true}},
	updateNotificationSettings: {given: {enable_sounds: false}},
	updateRealmUserSettingsDefaults: {as: 'olivia', given: {enter_sends: true}},
	getBots: {as: 'olivia', given: {}},
	createBot: {
		given: {full_name: 'Tea', short_name: 'tea', bot_type: 3, payload_url: 'https://bots.example.com/webhook'},
		refused: {'the name is taken': {given: {short_name: 'echo'}}, 'no URL': {given: {payload_url: 'tea'}}},
	},
	updateBot: ({createBot}) => ({given: {bot_id: createBot.user_id, full_name: 'Green Tea'}}),
	regenerateBotApiKey: ({createBot}) => ({given: {bot_id: createBot.user_id}}),
	deactivateBot: ({createBot}) => ({given: {bot_id: createBot.user_id}}),
	updateStatus: {given: {status_text: 'at lunch', emoji_name: 'hamburger'}},
	getUserStatus: {given: {user_id: 4}},
	updatePresence: {given: {status: 'active', ping_only: true}},
	getUserPresence: {
		given: {user_id_or_email: 'alice@bothy.example'},
		refused: {'no such user': {given: {user_id_or_email: 'nobody@bothy.example'}}},
	},
	getRealmPresence: {given: {}},
	getAlertWords: {given: {}},
	addAlertWords: {given: {alert_words: ['soup']}},
	removeAlertWords: {given: {alert_words: ['soup']}},
	getLinkifiers: {given: {}},
	addLinkifier: {
		as: 'olivia',
		given: {pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}'},
		refused: {'the URL has other names': {given: {url_template: 'https://issues.example.com/{number}'}}},
	},
	updateLinkifier: ({addLinkifier}) => ({
		as: 'olivia',
		given: {filter_id: addLinkifier.id, pattern: 'T(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}'},
	}),
	reorderLinkifiers: ({addLinkifier}) => ({as: 'olivia', given: {ordered_linkifier_ids: [addLinkifier.id]}}),
	addPlayground: {
		as: 'olivia',
		given: {name: 'Playground', pygments_language: 'Rust', url_template: 'https://play.example.com/?code={code}'},
	},
	removePlayground: ({addPlayground}) => ({as: 'olivia', given: {playground_id: addPlayground.id}}),
	removeLinkifier: ({addLinkifier}) => ({as: 'olivia', given: {filter_id: addLinkifier.id}}),
	addApnsToken: {given: {token: 'c0ffee', appid: 'org.example.chat'}},
	removeApnsToken: {given: {token: 'c0ffee'}, refused: {'no such token': {given: {token: 'dead'}}}},
	addFcmToken: {given: {token: 'c0ffee'}},
	removeFcmToken: {given: {token: 'c0ffee'}, refused: {'no such token': {given: {token: 'dead'}}}},
	getServerSettings: {as: 'nobody', given: {}},
	getCustomEmoji: {given: {}},
	devListUsers: {as: 'nobody', given: {}},
	devFetchApiKey: {
		as: 'nobody',
		given: {username: 'alice@bothy.example'},
		refused: {'no such account': {given: {username: 'nobody@bothy.example'}}},
	},
	fetchApiKey: {
		as: 'nobody',
		given: {username: 'alice@bothy.example', password: 'bothy'},
		refused: {'a wrong password': {given: {password: 'wrong'}}},
	},
	serviceOutgoingWebhook: {as: 'echo', given: {}},
	zulipOutgoingWebhook: {as: 'echo', given: {}},
	deactivateOwnUser: {as: 'carla', given: {}, refused: {'the last owner': {as: 'olivia'}}},
};

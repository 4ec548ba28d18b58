// The value of a permission of a channel or of a group.

import {z} from './zod.js';

/** ID of a user group, or people and groups by ID (spec.md, "Group-setting value"). */
export const GroupSetting = z.union([
	z.int(),
	z.looseObject({direct_members: z.array(z.int()), direct_subgroups: z.array(z.int())}),
]);

export type GroupSetting = z.infer<typeof GroupSetting>;

/** A setting's new value. With `old`, it is set only if `old` is the current value. */
export const GroupSettingChange = z.looseObject({new: GroupSetting, old: GroupSetting.optional()});

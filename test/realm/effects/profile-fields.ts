import {effects, type Given} from './effect.js';
import type {World} from './world.js';

type Details = Omit<Given<'updateProfileField'>, 'field_id'>;

const RED = {0: {text: 'Red', order: '1'}};

/** A new field of options. */
async function create({adam}: World, details: Details): Promise<number> {
	await adam.deleteProfileField({field_id: 8});
	return (await adam.createProfileField({field_type: 3, name: 'Colour', field_data: RED, ...details})).id;
}

/** The demo organization's field of options, with a change. */
async function update({adam}: World, details: Details): Promise<number> {
	await adam.updateProfileField({field_id: 8, display_in_profile_summary: false});
	await adam.updateProfileField({field_id: 3, ...details});
	return 3;
}

/** A field as a guest finds it, and whether he may choose from it. */
async function found({gus}: World, id: number) {
	const {custom_fields: fields} = await gus.getProfileFields();
	const mayChoose = await gus.updateProfileData({data: [{id, value: '0'}]}).then(
		() => true,
		() => false,
	);
	return {...fields.find(field => field.id === id), mayChoose};
}

const operations = ['createProfileField', 'updateProfileField'] as const;

export const profileFields = operations.flatMap(operation => {
	const change = operation === 'createProfileField' ? create : update;
	const seen = (name: string) => async (world: World, given: Details) =>
		Object(await found(world, await change(world, given)))[name];

	return [
		...effects(operation, {name: ['Shade', 'Tint']}, seen('name')),
		...effects(operation, {hint: ['Choose well', undefined, 'Choose well', '']}, seen('hint')),
		...effects(
			operation,
			{
				field_data: [
					RED,
					{0: {text: 'Blue', order: '1'}},
					'{"0":{"text":"Red","order":"1"}}',
					'{"0":{"text":"Blue","order":"1"}}',
				],
			},
			seen('field_data'),
		),
		...effects(operation, {display_in_profile_summary: [true, undefined]}, seen('display_in_profile_summary')),
		...effects(operation, {required: [true, undefined, true, false]}, seen('required')),
		...effects(operation, {editable_by_user: [false, undefined, false, true]}, seen('mayChoose')),
	];
});

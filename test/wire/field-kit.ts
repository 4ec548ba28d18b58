import {at, type Caller, type Json} from './raw-request.js';

/** One custom profile field as the list has it; null when there is none. */
export async function fieldOf(caller: Caller, id: Json): Promise<Json> {
	const list = at((await caller.get('/api/v1/realm/profile_fields')).json, 'custom_fields');
	return (Array.isArray(list) ? list.find(field => at(field, 'id') === id) : undefined) ?? null;
}

export async function fieldIds(caller: Caller): Promise<Json[]> {
	const list = at((await caller.get('/api/v1/realm/profile_fields')).json, 'custom_fields');
	return Array.isArray(list) ? list.map(field => at(field, 'id')) : [];
}

/** What somebody filled in, by field ID. */
export async function profileOf(caller: Caller, userId: number): Promise<Json> {
	const {json} = await caller.get(`/api/v1/users/${userId}?include_custom_profile_fields=true`);
	return at(json, 'user', 'profile_data');
}

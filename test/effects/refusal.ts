import {ApiError} from '../../src/client/errors.js';

/** Waits for a call that the service may refuse, where the refusal is the effect. */
export async function unlessRefused(call: Promise<unknown>): Promise<void> {
	try {
		await call;
	} catch (error) {
		if (!(error instanceof ApiError)) {
			throw error;
		}
	}
}

import {rm} from 'node:fs/promises';

/** Deletes the folder of a good run. Keeps that of a bad one, and says where it is. */
export async function endFolder(
	folder: string,
	{isGood, say}: {isGood: boolean; say: (line: string) => void},
): Promise<void> {
	if (isGood) {
		await rm(folder, {recursive: true, force: true});
	} else {
		say(`  ${folder} shows what happened`);
	}
}

// Puts pictures in the format WebP into one animated WebP file.

/** Each frame shows the whole picture, for `ms` milliseconds. */
export function animate(frames, {width, height}) {
	const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
	const ANIMATION = 0x02;
	const REPLACE = 0x02;
	return riff(
		chunk('VP8X', Buffer.from([ANIMATION, 0, 0, 0]), size),
		// Background colour, and 0 for an endless loop.
		chunk('ANIM', Buffer.alloc(6)),
		...frames.map(({webp, ms}) =>
			chunk('ANMF', uint24(0), uint24(0), size, uint24(ms), Buffer.from([REPLACE]), pictureOf(webp)),
		),
	);
}

/** The chunk of a still WebP file that contains its pixels. */
function pictureOf(webp) {
	for (let at = 12; at < webp.length; ) {
		const end = at + 8 + webp.readUInt32LE(at + 4);
		if (['VP8 ', 'VP8L'].includes(webp.toString('latin1', at, at + 4))) {
			return webp.subarray(at, end + (end % 2));
		}

		at = end + (end % 2);
	}

	throw new Error('Expected a WebP file with a VP8 or VP8L chunk');
}

function riff(...chunks) {
	return chunk('RIFF', Buffer.from('WEBP'), ...chunks);
}

function chunk(name, ...parts) {
	const body = Buffer.concat(parts);
	const head = Buffer.alloc(8, name, 'latin1');
	head.writeUInt32LE(body.length, 4);
	return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function uint24(value) {
	return Buffer.from([value, value >> 8, value >> 16]);
}

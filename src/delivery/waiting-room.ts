// Deliveries that Redis has not accepted yet. Their number and their bytes are limited.

export interface WaitingRoomLimits {
	readonly deliveries: number;
	/** Bytes of the payloads' texts. */
	readonly bytes: number;
}

const WAITING_ROOM: WaitingRoomLimits = {deliveries: 2_000, bytes: 64 * 1024 * 1024};

export interface WaitingRoom {
	readonly size: number;
	readonly isFull: boolean;
	/** False if there is no room for that many bytes. */
	enter(bytes: number): boolean;
	leave(bytes: number): void;
}

export function createWaitingRoom(limits: WaitingRoomLimits = WAITING_ROOM): WaitingRoom {
	let size = 0;
	let bytes = 0;
	return {
		get size() {
			return size;
		},
		get isFull() {
			return size >= limits.deliveries || bytes >= limits.bytes;
		},
		enter(more) {
			if (this.isFull) {
				return false;
			}

			size += 1;
			bytes += more;
			return true;
		},
		leave(less) {
			size -= 1;
			bytes -= less;
		},
	};
}

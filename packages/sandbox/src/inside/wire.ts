/** The byte stream to the process inside a sandbox. Each provider brings its own. */
export interface InsideLink {
  send(bytes: Buffer): void;
  onBytes(listener: (bytes: Buffer) => void): void;
  /** Ends the sandbox at once, whatever its processes do. */
  kill(): void;
}

/** The frame protocol with the process inside a sandbox; its other half is `native/wire.h`. */

const FRAME_HEADER_BYTES = 12;
export const FRAME_PAYLOAD_MAX = 2 << 20;
/** Unacknowledged input a task may have under way. */
export const INPUT_WINDOW_BYTES = 256 << 10;

const HOST_FRAME = {
  start: 1,
  input: 2,
  inputEnd: 3,
  cancel: 4,
  credit: 5,
  killAll: 6,
  ping: 7,
  lease: 8,
  listen: 9,
  expire: 10,
  figures: 11,
} as const;
export type HostFrame = keyof typeof HOST_FRAME;

const INSIDE_FRAMES = [
  'ready',
  'stdout',
  'stderr',
  'credit',
  'exit',
  'done',
  'opened',
  'outputEnd',
  'started',
] as const;
type InsideFrame = (typeof INSIDE_FRAMES)[number];

export interface Frame {
  type: InsideFrame;
  taskId: number;
  payload: Buffer;
}

/** Ids of connections that commands have opened have this bit; those of tasks have not. */
export const TUNNEL_ID_BIT = 0x8000_0000;

const NOTHING = Buffer.alloc(0);

export function encodeFrame(type: HostFrame, taskId: number, payload: Uint8Array = NOTHING): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.byteLength);
  frame.writeUInt32LE(payload.byteLength, 0);
  frame.writeUInt32LE(HOST_FRAME[type], 4);
  frame.writeUInt32LE(taskId, 8);
  frame.set(payload, FRAME_HEADER_BYTES);
  return frame;
}

export function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(Math.min(Math.max(0, Math.ceil(value)), 0xffff_ffff));
  return bytes;
}

/** Bytes in, frames out, however they are cut. What arrives is not trusted: `push` throws on anything unknown. */
export class FrameDecoder {
  #pending: Buffer = NOTHING;

  push(chunk: Buffer): Frame[] {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= FRAME_HEADER_BYTES) {
      const length = bytes.readUInt32LE(at);
      const type = INSIDE_FRAMES[bytes.readUInt32LE(at + 4) - 1];
      if (length > FRAME_PAYLOAD_MAX || type === undefined) throw new Error('malformed frame from a sandbox');
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > bytes.length) break;
      frames.push({
        type,
        taskId: bytes.readUInt32LE(at + 8),
        payload: bytes.subarray(at + FRAME_HEADER_BYTES, end),
      });
      at = end;
    }
    this.#pending = bytes.subarray(at);
    return frames;
  }
}

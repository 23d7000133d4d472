import { ByteBuffer } from '@agentclash/egress';

/** Two ends of lines in a row: CR LF is one end, and what an event leaves of its last one is an empty line of the next. */
const EVENT_ENDS = ['\n\n', '\r\r', '\n\r'].map((end) => Buffer.from(end));
const END_LENGTH = 2;

/** Divides a stream of server-sent events between events. Looks at each byte once; the bytes are bounded by its caller. */
export class EventSplitter {
  private readonly pending = new ByteBuffer();

  /** The events that end in this chunk, from the beginning of the first; undefined for none. */
  take(chunk: Uint8Array): Uint8Array | undefined {
    const from = Math.max(0, this.pending.bytes.length - 1);
    this.pending.append(chunk);
    const added = this.pending.bytes.subarray(from);
    const last = Math.max(...EVENT_ENDS.map((end) => added.lastIndexOf(end)));
    return last < 0 ? undefined : this.pending.take(from + last + END_LENGTH);
  }
}

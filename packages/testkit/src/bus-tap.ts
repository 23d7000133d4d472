import { createWriteStream } from 'node:fs';
import { connect } from 'node:net';

/** What is larger is not noted: nobody reads it. */
const NOTED_BYTES_MAX = 32_768;
const LINE_END = '\r\n';

/** Says that we are here, hear everything, and want to know when that has begun. */
const HELLO = `${['CONNECT {"verbose":false,"headers":false}', 'SUB > 1', 'PING'].join(LINE_END)}${LINE_END}`;

/**
 * Notes every message on a nats-server that admits everybody: one line of JSON each, `{subject, reply?, data}`. Speaks
 * the server's text protocol itself, since what it taps is the only other thing that does. Returns how to stop. A request
 * that nobody serves waits meanwhile instead of being refused at once, for the server knows of somebody who hears it.
 */
export async function tapBus(url: string, file: string): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url);
  const notes = createWriteStream(file);
  const socket = connect(Number(port), hostname);
  let unread = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      unread = Buffer.concat([unread, chunk]);
      for (let read = readFrame(unread); read !== undefined; read = readFrame(unread)) {
        unread = unread.subarray(read.bytes);
        const [verb, ...words] = read.line.split(' ');
        if (verb === 'INFO') socket.write(HELLO);
        if (verb === 'PING') socket.write(`PONG${LINE_END}`);
        if (verb === 'PONG') resolve();
        if (read.payload !== undefined && read.payload.length <= NOTED_BYTES_MAX) {
          notes.write(`${JSON.stringify(noteOf(words, read.payload))}\n`);
        }
      }
    });
  });
  socket.on('error', () => {});
  return async () => {
    socket.destroy();
    await new Promise((resolve) => notes.end(resolve));
  };
}

interface Frame {
  line: string;
  payload?: Buffer;
  bytes: number;
}

/** The first line with the payload that it announces; nothing while it is not all there. */
function readFrame(bytes: Buffer): Frame | undefined {
  const end = bytes.indexOf(LINE_END);
  if (end < 0) return undefined;
  const line = bytes.toString('utf8', 0, end);
  const after = end + LINE_END.length;
  if (!line.startsWith('MSG ')) return { line, bytes: after };
  const size = Number(line.slice(line.lastIndexOf(' ') + 1));
  const whole = after + size + LINE_END.length;
  if (bytes.length < whole) return undefined;
  return { line, payload: bytes.subarray(after, after + size), bytes: whole };
}

/** `subject subscription [reply] size`. */
function noteOf(words: readonly string[], payload: Buffer) {
  const [subject] = words;
  const reply = words.length > 3 ? words[2] : undefined;
  return { subject, ...(reply !== undefined && { reply }), data: payload.toString('utf8') };
}

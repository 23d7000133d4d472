import { createWriteStream } from 'node:fs';
import { connect } from 'node:net';

/** Larger messages are not recorded. */
const RECORDED_BYTES_MAX = 32_768;
const LINE_END = '\r\n';

/** Connects, subscribes to everything, and requests a PONG that confirms the subscription. */
const HELLO = `${['CONNECT {"verbose":false,"headers":false}', 'SUB > 1', 'PING'].join(LINE_END)}${LINE_END}`;

/**
 * Records every message on a nats-server without authorization: one line of JSON each, `{subject, reply?, data}`. It
 * implements the text protocol itself, independent of the client under test. Returns a function that stops it. While it
 * runs, a request without a responder times out instead of failing at once, since the tap counts as a subscriber.
 */
export async function tapBus(url: string, file: string): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(url);
  const output = createWriteStream(file);
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
        if (read.payload !== undefined && read.payload.length <= RECORDED_BYTES_MAX) {
          output.write(`${JSON.stringify(recordingOf(words, read.payload))}\n`);
        }
      }
    });
  });
  socket.on('error', () => {});
  return async () => {
    socket.destroy();
    await new Promise((resolve) => output.end(resolve));
  };
}

interface Frame {
  line: string;
  payload?: Buffer;
  bytes: number;
}

/** The first line with its payload; nothing while it is incomplete. */
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
function recordingOf(words: readonly string[], payload: Buffer) {
  const [subject] = words;
  const reply = words.length > 3 ? words[2] : undefined;
  return { subject, ...(reply !== undefined && { reply }), data: payload.toString('utf8') };
}

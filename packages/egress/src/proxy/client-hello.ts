const HANDSHAKE_RECORD = 22;
const ALERT_RECORD = 21;
const TLS_MAJOR_VERSION = 3;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const RECORD_HEADER_BYTES = 5;
const HELLO_BYTES_MAX = 64 * 1024;

/**
 * The beginning of a connection. `name`: the server name in the ClientHello, undefined when there is none; `bytes`:
 * the length of the records that carry it.
 */
export type ClientHello =
  | { kind: 'incomplete' }
  | { kind: 'other' }
  | { kind: 'tls'; name: string | undefined; bytes: number };

/** Reads as much of a TLS ClientHello as names the server; anything that is none is `other`. */
export function readClientHello(bytes: Buffer): ClientHello {
  if (bytes.length === 0) return { kind: 'incomplete' };
  if (bytes[0] !== HANDSHAKE_RECORD) return { kind: 'other' };
  const hello = handshakeOf(bytes);
  if (hello === undefined) return bytes.length > HELLO_BYTES_MAX ? { kind: 'other' } : { kind: 'incomplete' };
  try {
    return { kind: 'tls', name: serverNameOf(new Fields(hello.body)), bytes: hello.bytes };
  } catch {
    return { kind: 'other' };
  }
}

/** True when bytes begin with a record of a TLS server: a handshake or an alert. Undefined while they are too few. */
export function isServerRecord(bytes: Buffer): boolean | undefined {
  if (bytes.length < 2) return undefined;
  return (bytes[0] === HANDSHAKE_RECORD || bytes[0] === ALERT_RECORD) && bytes[1] === TLS_MAJOR_VERSION;
}

/**
 * True when a ClientHello carries a line of text, as commands of protocols such as Redis' are. Its random fields do so
 * by chance in about one of 500,000.
 */
export function carriesLine(hello: Buffer): boolean {
  return /[\r\n][\x20-\x7e]{4,}[\r\n]/.test(hello.toString('latin1'));
}

/**
 * The first handshake message, put together from its records, and their length; undefined while bytes are missing. No
 * byte of another message may follow it in its last record.
 */
function handshakeOf(bytes: Buffer): { body: Buffer; bytes: number } | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= RECORD_HEADER_BYTES && bytes[at] === HANDSHAKE_RECORD) {
    const end = at + RECORD_HEADER_BYTES + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + RECORD_HEADER_BYTES, end));
    at = end;
  }
  const handshake = Buffer.concat(parts);
  if (handshake.length < 4) return undefined;
  const end = 4 + handshake.readUIntBE(1, 3);
  return handshake.length < end ? undefined : { body: handshake.subarray(0, end), bytes: at };
}

/** RFC 8446, 4.1.2 and RFC 6066, 3. Throws RangeError on a message that is cut short. */
function serverNameOf(hello: Fields): string | undefined {
  if (hello.number(1) !== CLIENT_HELLO) throw new RangeError('no ClientHello');
  hello.skip(3 + 2 + 32);
  hello.vector(1);
  hello.vector(2);
  hello.vector(1);
  if (hello.isAtEnd) return undefined;
  const extensions = new Fields(hello.vector(2));
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const body = extensions.vector(2);
    if (type !== SERVER_NAME) continue;
    const names = new Fields(new Fields(body).vector(2));
    if (names.number(1) !== 0) throw new RangeError('no host name');
    const name = names.vector(2).toString('latin1');
    if (!names.isAtEnd) throw new RangeError('more than one name');
    return name;
  }
  return undefined;
}

class Fields {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  number(size: 1 | 2): number {
    return this.bytes.readUIntBE(this.#take(size), size);
  }

  vector(lengthSize: 1 | 2): Buffer {
    const length = this.number(lengthSize);
    const at = this.#take(length);
    return this.bytes.subarray(at, at + length);
  }

  skip(size: number): void {
    this.#take(size);
  }

  #take(size: number): number {
    const at = this.#at;
    if (at + size > this.bytes.length) throw new RangeError('cut short');
    this.#at += size;
    return at;
  }
}

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const TYPES = { A: 1, AAAA: 28 };
const RESPONSE = 0x8180;

export interface NameServer {
  /** `address:port`, as resolvers take it. */
  address: string;
  /** Names queried for their IPv4 addresses, in order. */
  queried: string[];
  close(): Promise<void>;
}

/** A name server on 127.0.0.1 whose test computes each response, and forbids to cache it. */
export async function nameServer(
  addressesOf: (name: string, queried: number) => string[],
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const queried: string[] = [];
  const turns = new Map<string, number>();
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    const turn = `${type}/${name}`;
    const count = (turns.get(turn) ?? 0) + 1;
    turns.set(turn, count);
    if (type === TYPES.A) queried.push(name);
    const addresses = addressesOf(name, count).filter((text) => isIPv6(text) === (type === TYPES.AAAA));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(RESPONSE, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((text) => recordOf(type, text));
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queried,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Its name points at the question's; it lives for no time. */
function recordOf(type: number, text: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(text).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { nameServerResolve } from './guard/resolve.js';
import { closeServers, failureOf, get, respondWith, serve } from './testing/fixture.js';

describe('a name server that changes its responses', () => {
  let names: NameServer;

  const resolving = async (addressesOf: (name: string, queries: number) => string[]) => {
    names = await nameServer(addressesOf);
    return { resolve: nameServerResolve([names.address]) };
  };

  afterEach(async () => {
    await names.close();
    await closeServers();
  });

  test('a name server cannot move a connection after its first response was checked', async () => {
    const server = await serve(respondWith('first'));
    const options = await resolving((_name, queries) => [queries === 1 ? '127.0.0.1' : '10.0.0.1']);
    const { body } = await get(`http://rebind.example:${server.port}/`, {}, options);
    expect(Buffer.from(body).toString()).toBe('first');
    expect(names.queried).toEqual(['rebind.example']);
  });

  test('a name is looked up again for a redirect to it, which may not lead to an inside address', async () => {
    const server = await serve((_request, response) => response.writeHead(302, { location: '/again' }).end());
    const options = await resolving((_name, queries) => [queries === 1 ? '127.0.0.1' : '169.254.169.254']);
    const error = await failureOf(get(`http://rebind.example:${server.port}/`, {}, options));
    expect(error).toMatchObject({ code: 'egress_blocked', reason: 'metadata' });
    expect(server.accepted()).toBe(1);
  });

  test.each([
    ['an IPv4 address inside', ['127.0.0.1', '10.0.0.1'], 'private'],
    ['an IPv6 address inside', ['127.0.0.1', 'fd00::1'], 'private'],
    ['metadata in a mapped address', ['127.0.0.1', '::ffff:169.254.169.254'], 'metadata'],
    ['an address that hides another', ['127.0.0.1', '64:ff9b::7f00:1'], 'transition'],
    ['no address of a machine', ['127.0.0.1', '0.0.0.0'], 'unspecified'],
  ])('a response with a good address and %s is refused', async (_what, addresses, reason) => {
    const server = await serve(respondWith('never'));
    const options = await resolving(() => addresses);
    const error = await failureOf(get(`http://both.example:${server.port}/`, {}, options));
    expect(error).toMatchObject({ code: 'egress_blocked', reason });
    expect(server.accepted()).toBe(0);
  });

  test.each([
    ['has no address for the name', []],
    ['gives more than sixteen addresses', Array.from({ length: 17 }, (_, n) => `127.0.0.${n + 1}`)],
  ])('a lookup fails when the name server %s', async (_what, addresses) => {
    const options = await resolving(() => addresses);
    expect(await failureOf(get('http://some.example/', {}, options))).toMatchObject({ code: 'dns_failed' });
  });
});

const HEADER_BYTES = 12;
const TYPES = { A: 1, AAAA: 28 };
const RESPONSE = 0x8180;

interface NameServer {
  /** `address:port`, as resolvers take it. */
  address: string;
  /** Names queried for their IPv4 addresses, in order. */
  queried: string[];
  close(): Promise<void>;
}

/** A name server on 127.0.0.1 whose test computes each response, and forbids to cache it. */
async function nameServer(addressesOf: (name: string, queried: number) => string[]): Promise<NameServer> {
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

import { afterEach, describe, expect, test } from '@jest/globals';
import { nameServerResolve } from './resolve.js';
import { closeServers, failureOf, get, respondWith, serve } from './testing/fixture.js';
import { type NameServer, nameServer } from './testing/name-server.js';

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

  test('cannot move a connection after its first response was checked', async () => {
    const server = await serve(respondWith('first'));
    const options = await resolving((_name, queries) => [queries === 1 ? '127.0.0.1' : '10.0.0.1']);
    const { body } = await get(`http://rebind.example:${server.port}/`, {}, options);
    expect(Buffer.from(body).toString()).toBe('first');
    expect(names.queried).toEqual(['rebind.example']);
  });

  test('is queried again for a redirect to the same name, which may not lead inside', async () => {
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
  ])('spoils a good response with %s', async (_what, addresses, reason) => {
    const server = await serve(respondWith('never'));
    const options = await resolving(() => addresses);
    const error = await failureOf(get(`http://both.example:${server.port}/`, {}, options));
    expect(error).toMatchObject({ code: 'egress_blocked', reason });
    expect(server.accepted()).toBe(0);
  });

  test.each([
    ['has no address for the name', []],
    ['gives more than sixteen addresses', Array.from({ length: 17 }, (_, n) => `127.0.0.${n + 1}`)],
  ])('that %s leads nowhere', async (_what, addresses) => {
    const options = await resolving(() => addresses);
    expect(await failureOf(get('http://some.example/', {}, options))).toMatchObject({ code: 'dns_failed' });
  });
});

import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const SCREEN = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('the web app', () => {
  let fixture: GatewayFixture;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agentclash-web-'));
    await mkdir(path.join(folder, 'assets'));
    await mkdir(path.join(folder, 'workers'));
    await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>app</title>');
    await writeFile(path.join(folder, 'assets/app-1.js'), 'start()');
    await writeFile(path.join(folder, 'assets/app-1.js.gz'), gzipSync('start()'));
    await writeFile(path.join(folder, 'assets/app-2.js'), 'start()');
    await writeFile(path.join(folder, 'assets/app-2.js.br'), brotliCompressSync('start()'));
    await writeFile(path.join(folder, 'assets/app-2.js.gz'), gzipSync('start()'));
    for (const name of ['one', 'two']) {
      await writeFile(path.join(folder, `${name}.txt`), name);
      await utimes(path.join(folder, `${name}.txt`), 0, 0);
    }
    await writeFile(path.join(folder, 'assets/letters-1.woff2'), 'letters');
    await writeFile(path.join(folder, 'assets/notes.md'), 'of no type that is served');
    await writeFile(path.join(folder, 'workers/check-1.js'), 'check()');
    await writeFile(path.join(folder, '../outside.js'), 'secret()');
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url }, { WEB_FOLDER: folder });
  });
  afterAll(async () => {
    await fixture.close();
    await rm(path.join(folder, '../outside.js'));
    await rm(folder, { recursive: true });
  });

  test('every address of a screen gets the page, which may only load from and connect to this origin', async () => {
    for (const address of ['/', '/runs', '/runs/0190?tab=x', '/packs/a.b', '/packs/%ff']) {
      const response = await fixture.request(address, SCREEN);
      expect([response.status, await response.text()]).toEqual([200, '<!doctype html><title>app</title>']);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("font-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  test('fonts are served from this origin with their own type', async () => {
    const { status, headers } = await fixture.request('/assets/letters-1.woff2');
    expect([status, headers.get('content-type')]).toEqual([200, 'font/woff2']);
  });

  test('only workers may evaluate, and they can connect nowhere', async () => {
    const response = await fixture.request('/workers/check-1.js');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' 'unsafe-eval'",
    );
  });

  test('built files are cached for good, and compressed for clients that accept it', async () => {
    const response = await fixture.request('/assets/app-1.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(await response.text()).toBe('start()');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    const plain = await fixture.request('/assets/app-1.js', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });

  test.each([
    ['gzip, deflate, br, zstd', 'app-2', 'br'],
    ['gzip, deflate', 'app-2', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'app-2', 'gzip'],
    ['*;q=0', 'app-2', null],
    ['identity', 'app-2', null],
    ['br', 'app-1', null],
    ['br, gzip', 'app-1', 'gzip'],
  ])('a client that accepts "%s" gets %s with the content coding %s', async (accepted, name, coding) => {
    const response = await fixture.request(`/assets/${name}.js`, {
      headers: { 'accept-encoding': accepted },
    });
    expect(await response.text()).toBe('start()');
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('a file that a browser has already is not sent again', async () => {
    const etag = (await fixture.request('/', SCREEN)).headers.get('etag') ?? '';
    const again = await fixture.request('/', { headers: { ...SCREEN.headers, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('the entity tag is of the content: packaging may give two builds equal sizes and times', async () => {
    const [one, two] = await Promise.all(['/one.txt', '/two.txt'].map((at) => fixture.request(at)));
    expect(one?.headers.get('content-length')).toBe(two?.headers.get('content-length'));
    expect(one?.headers.get('etag')).not.toBe(two?.headers.get('etag'));
  });

  test('the response to HEAD has no body', async () => {
    const response = await fixture.request('/', { ...SCREEN, method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '33']);
  });

  test.each(['/v1/nothing', '/assets/gone.js', '/assets/notes.md', '/workers/gone.js', '/healthz/x'])(
    'an unknown address of the API or of files gets the status 404, not a screen: %s',
    async (address) => {
      const response = await fixture.request(address, SCREEN);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
    },
  );

  test('programs get problem documents instead of pages, except at the root', async () => {
    const response = await fixture.request('/runs', { headers: { accept: 'application/json' } });
    expect(response.status).toBe(404);
    const page = await fixture.request('/', { headers: { accept: '*/*' } });
    expect(page.headers.get('content-type')).toContain('text/html');
  });

  test.each([
    '/../outside.js',
    '/assets/../../outside.js',
    '/%2e%2e/outside.js',
    '/assets/%2e%2e%2f%2e%2e%2foutside.js',
  ])('no address leads out of the folder: %s', async (address) => {
    const response = await rawGet(fixture.gateway.url, address);
    expect(response).toContain(' 404 ');
    expect(response).not.toContain('secret()');
  });

  test('a gateway without a built app serves the API alone', async () => {
    const another = await fixture.startAnother({ WEB_FOLDER: path.join(folder, 'none') });
    try {
      expect((await fetch(`${another.url}/`, SCREEN)).status).toBe(404);
      expect((await fetch(`${another.url}/healthz`)).status).toBe(200);
    } finally {
      await another.close();
    }
  });
});

/** Sends the address literally: `fetch` would normalize it. */
async function rawGet(url: string, address: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${address} HTTP/1.1\r\nhost: x\r\naccept: */*\r\nconnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

type Verify = (headers: Record<string, string>, body: string, secret: string, now?: number) => unknown;

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/webhooks.md');
const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = '{"type":"run.completed"}';
const AT = 1_800_000_000;

describe('the example of a verification in docs/webhooks.md', () => {
  let folder: string;
  let verify: Verify;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agentclash-example-'));
    const [, code = ''] = /```js\n(.*?)```/s.exec(await readFile(GUIDE, 'utf8')) ?? [];
    const file = path.join(folder, 'verify.mjs');
    await writeFile(file, code);
    ({ verifyWebhook: verify } = (await import(file)) as { verifyWebhook: Verify });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const headersOf = (body: string, key = KEY) => ({
    'webhook-id': 'id-1',
    'webhook-timestamp': String(AT),
    'webhook-signature': `v1,${createHmac('sha256', key).update(`id-1.${AT}.${body}`).digest('base64')}`,
  });

  test('the example accepts a delivery as it is signed', () => {
    expect(verify(headersOf(BODY), BODY, SECRET, AT * 1_000)).toEqual({ type: 'run.completed' });
  });

  test.each<[string, Parameters<Verify>]>([
    ['another body', [headersOf(BODY), `${BODY} `, SECRET, AT * 1_000]],
    ['another secret', [headersOf(BODY, randomBytes(32)), BODY, SECRET, AT * 1_000]],
    ['no signature', [{ ...headersOf(BODY), 'webhook-signature': '' }, BODY, SECRET, AT * 1_000]],
    ['another id', [{ ...headersOf(BODY), 'webhook-id': 'id-2' }, BODY, SECRET, AT * 1_000]],
    ['a time long ago', [headersOf(BODY), BODY, SECRET, AT * 1_000 + 301_000]],
  ])('the example refuses a delivery with %s', (_what, request) => {
    expect(() => verify(...request)).toThrow(/does not match|too old/);
  });
});

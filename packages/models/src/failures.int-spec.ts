import type { Behaviour } from '@agentclash/scripted-model';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProviderFailureClass } from './failures/failure.js';
import {
  account,
  closeServers,
  failureOf,
  KEY,
  open,
  openSlots,
  provider,
  requestOf,
  UNDERSTOOD,
} from './testing/harness.js';

afterEach(closeServers);

const HTML = '<html><body>maximum context length, insufficient_quota, billing</body></html>';

/** [what happens, behaviour, class] */
const PROVOKED: [string, Behaviour, ProviderFailureClass][] = [
  ['a refused key', { status: 401, error: { message: 'bad key' } }, 'auth'],
  ['a forbidden model', { status: 403, error: { message: 'no' } }, 'auth'],
  ['no money', { status: 402, error: { message: 'pay' } }, 'quota'],
  ['spent quota', { status: 429, error: { code: 'insufficient_quota', message: 'You ran out' } }, 'quota'],
  ['too many requests', { status: 429, error: { message: 'slow down' } }, 'rate_limit'],
  ['too many requests, with HTML', { status: 429, html: HTML }, 'rate_limit'],
  ['an overloaded provider', { status: 529, error: { message: 'overloaded' } }, 'rate_limit'],
  ['a provider out of time', { status: 408, error: { message: 'late' } }, 'timeout'],
  ['a conflict', { status: 409, error: { message: 'busy' } }, 'unavailable'],
  ['a bad gateway in HTML', { status: 502, html: HTML }, 'unavailable'],
  ['an unimplemented thing', { status: 501, error: { message: 'no' } }, 'unsupported'],
  ['a long prompt', { status: 400, error: { message: 'prompt is too long: 9 > 8' } }, 'context_length'],
  [
    'a long prompt by code',
    { status: 413, error: { code: 'context_length_exceeded', message: 'x' } },
    'context_length',
  ],
  ['a filter', { status: 400, error: { code: 'content_policy_violation', message: 'x' } }, 'content_filter'],
  ['a bad request in HTML', { status: 400, html: HTML }, 'invalid_request'],
  ['an unknown model', { status: 404, error: { message: 'no such model' } }, 'invalid_request'],
  ['a cut connection', { text: 'half of', ending: 'cut' }, 'unavailable'],
  ['a stream that just ends', { text: 'half of', ending: 'end' }, 'unavailable'],
  ['a broken chunk', { text: 'half of', ending: 'broken' }, 'malformed_response'],
  ['HTML instead of a stream', { raw: HTML, contentType: 'text/html' }, 'malformed_response'],
  ['nothing instead of a stream', { raw: '' }, 'malformed_response'],
  ['an error event at once', { ending: { error: { code: 'rate_limit_error', message: 'x' } } }, 'rate_limit'],
  [
    'an error event',
    { text: 'half', ending: { error: { code: 'overloaded_error', message: 'x' } } },
    'rate_limit',
  ],
  [
    'an unknown error event',
    { text: 'half', ending: { error: { code: 'gremlins', message: 'x' } } },
    'unavailable',
  ],
  [
    'a late refusal',
    { text: 'half', ending: { error: { code: 'context_length_exceeded', message: 'x' } } },
    'context_length',
  ],
];

describe.each(UNDERSTOOD)('calling %s', (key) => {
  test.each(PROVOKED)(
    'the failure %s has its class, after the retries of that class',
    async (_what, behaviour, wanted) => {
      const server = await provider(behaviour);
      const failure = await failureOf(open(account(key, server.url)).call(requestOf()));
      expect(failure.failure).toBe(wanted);
      const isRetried = ['rate_limit', 'timeout', 'unavailable', 'malformed_response'].includes(wanted);
      expect(server.requests.length).toBe(isRetried ? 3 : 1);
      expect(failure.details.tries).toBe(server.requests.length);
    },
  );

  test('a stalled stream ends with the step, as a timeout', async () => {
    const server = await provider({ text: 'half of', ending: 'stall' });
    const failure = await failureOf(open(account(key, server.url), { stepTimeoutMs: 150 }).call(requestOf()));
    expect(failure).toMatchObject({ failure: 'timeout', details: { tries: 3, status: 200 } });
    expect(failure.details.timing.ttft_ms).not.toBeNull();
  });

  test('a slow drip does not outlive the step', async () => {
    const server = await provider({ text: 'drop ', isEndless: true, dripMs: 20 });
    const failure = await failureOf(open(account(key, server.url), { stepTimeoutMs: 200 }).call(requestOf()));
    expect(failure.failure).toBe('timeout');
  });

  test('a silent provider is a timeout without a first fragment', async () => {
    const server = await provider({ silent: true });
    const failure = await failureOf(open(account(key, server.url), { stepTimeoutMs: 100 }).call(requestOf()));
    expect(failure).toMatchObject({ failure: 'timeout', details: { timing: { ttft_ms: null } } });
  });

  test('an unreachable provider is unavailable', async () => {
    const server = await provider();
    await server.close();
    const failure = await failureOf(open(account(key, server.url)).call(requestOf()));
    expect(failure).toMatchObject({ failure: 'unavailable', details: { tries: 3 } });
  });

  test('a call that succeeds after failures reports its tries, and releases every slot', async () => {
    const server = await provider([
      { status: 503, error: { message: 'x' } },
      { status: 429, headers: { 'retry-after': '2' }, error: { message: 'x' } },
      { text: 'at last' },
    ]);
    const slots = openSlots();
    const reply = await open(account(key, server.url), { slots }).call(requestOf());
    expect(reply).toMatchObject({ text: 'at last', tries: 3 });
    expect(slots.released).toEqual([['failed'], ['rate_limited', 2_000], ['success']]);
  });

  test('neither the key, the address nor the message of the provider is in the error', async () => {
    const server = await provider({ status: 400, error: { message: `your key ${KEY} is odd <b>sorry</b>` } });
    const failure = await failureOf(open(account(key, server.url)).call(requestOf()));
    const shown = `${failure.message} ${failure.stack} ${JSON.stringify(failure)} ${String(failure.cause)}`;
    for (const hidden of [KEY, '127.0.0.1', 'sorry']) expect(shown).not.toContain(hidden);
  });

  test('the log gets the message of the provider, but not the key', async () => {
    const server = await provider({ status: 401, error: { code: 'c', message: `${KEY} is no key` } });
    const received: unknown[] = [];
    await failureOf(
      open(account(key, server.url), { onFailure: (error) => received.push(error) }).call(requestOf()),
    );
    expect(received).toEqual([{ status: 401, code: 'c', message: '[key] is no key' }]);
  });

  test('an error of a listener is not a failure of the provider', async () => {
    const server = await provider({ text: 'ok' });
    const onDelta = () => {
      throw new RangeError('the listener is broken');
    };
    const slots = openSlots();
    await expect(open(account(key, server.url), { slots }).call(requestOf('', { onDelta }))).rejects.toThrow(
      RangeError,
    );
    expect(slots.released).toEqual([['failed']]);
  });
});

describe('an account that cannot be used', () => {
  test.each(['openai', 'anthropic', 'google', 'xai', 'mistral', 'openrouter'])(
    'an account of %s without a credential is `auth`, and nothing is sent',
    async (key) => {
      const server = await provider();
      const { openCredential: _, ...bare } = account(key, server.url);
      expect((await failureOf(open(bare).call(requestOf()))).failure).toBe('auth');
      expect(server.requests).toEqual([]);
    },
  );

  test('openai_compatible does without a credential, and sends no authorization then', async () => {
    const server = await provider();
    const { openCredential: _, ...bare } = account('custom', server.url);
    expect((await open(bare).call(requestOf())).text).toBe('ok');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('an unknown provider is unsupported', async () => {
    const failure = await failureOf(open(account('skynet', 'https://skynet.example')).call(requestOf()));
    expect(failure).toMatchObject({ failure: 'unsupported', details: { tries: 1 } });
  });

  test('an unreachable vault is not a failure of the provider', async () => {
    const openCredential = async () => Promise.reject(new Error('no vault'));
    const call = open(account('openai', 'https://a.example', { openCredential })).call(requestOf());
    await expect(call).rejects.toThrow('no vault');
  });

  test('a key that no header can carry is `auth`', async () => {
    const openCredential = async () => ({ reveal: () => 'two\nlines', origins: null });
    const failure = await failureOf(
      open(account('openai', 'https://a.example', { openCredential })).call(requestOf()),
    );
    expect(failure.failure).toBe('auth');
    expect(failure.message).not.toContain('lines');
  });
});

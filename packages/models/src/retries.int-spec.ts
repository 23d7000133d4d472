import type { ScriptedModel } from '@agentclash/scripted-model';
import { fakeClock, waitFor } from '@agentclash/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { account, closeServers, failureOf, open, provider, requestOf } from './testing/harness.js';

afterEach(closeServers);

const busy = (headers: Record<string, string> = {}) =>
  ({ status: 429, headers, error: { message: 'slow down' } }) as const;

/** A model with a clock that only the test advances. */
function onClock(server: ScriptedModel, random = 0) {
  const fake = fakeClock(Date.UTC(2026, 0, 1));
  const sleeps: number[] = [];
  const clock = {
    now: fake.now,
    monotonic: fake.now,
    sleep: (ms: number, signal?: AbortSignal) => {
      sleeps.push(ms);
      return fake.sleep(ms, signal);
    },
  };
  return { model: open(account('openai', server.url), { clock, random: () => random }), fake, sleeps };
}

describe('a retried call', () => {
  test('a retried call reports its waits for the account: for slots and before further tries, also when cancelled', async () => {
    const server = await provider([busy({ 'retry-after': '7' }), { text: 'ok' }, busy()]);
    const { model, fake, sleeps } = onClock(server, 0.25);
    const waits = { begun: 0, ended: 0 };
    const beginWait = () => {
      waits.begun += 1;
      return () => {
        waits.ended += 1;
      };
    };
    const call = model.call(requestOf('hello', { beginWait }));
    await waitFor(() => sleeps.length === 1);
    expect(waits).toEqual({ begun: 2, ended: 1 });
    await fake.advance(7_250);
    expect(await call).toMatchObject({ text: 'ok' });
    expect(waits).toEqual({ begun: 3, ended: 3 });
    const cancelled = new AbortController();
    const second = model.call(requestOf('hello', { beginWait, signal: cancelled.signal }));
    await waitFor(() => sleeps.length === 2);
    cancelled.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    expect(waits).toEqual({ begun: 5, ended: 5 });
  });

  test('a retried call waits at least two seconds after a rate limit, and no try comes before', async () => {
    const server = await provider([busy(), busy(), { text: 'ok' }]);
    const { model, fake, sleeps } = onClock(server, 0.5);
    const call = model.call(requestOf());
    for (const tries of [1, 2]) {
      await waitFor(() => sleeps.length === tries);
      await fake.advance(1_999);
      expect(server.requests.length).toBe(tries);
      await fake.advance(1);
    }
    expect(await call).toMatchObject({ text: 'ok', tries: 3, timing: { total_ms: 4_000 } });
    expect(sleeps).toEqual([2_000, 2_000]);
  });

  test('a retried call doubles its wait after other failures', async () => {
    const server = await provider({ status: 500, error: { message: 'x' } });
    const { model, fake, sleeps } = onClock(server, 0.5);
    const call = failureOf(model.call(requestOf()));
    await waitFor(() => sleeps.length === 1);
    await fake.advance(250);
    await waitFor(() => sleeps.length === 2);
    await fake.advance(500);
    expect((await call).details.tries).toBe(3);
    expect(sleeps).toEqual([250, 500]);
  });

  test.each([
    ['seconds', '7'],
    ['a date', new Date(Date.UTC(2026, 0, 1, 0, 0, 7)).toUTCString()],
  ])('a retried call waits for Retry-After in %s, plus up to a second', async (_form, hint) => {
    const server = await provider([busy({ 'retry-after': hint }), { text: 'ok' }]);
    const { model, fake, sleeps } = onClock(server, 0.25);
    const call = model.call(requestOf());
    await waitFor(() => sleeps.length === 1);
    await fake.advance(7_250);
    expect((await call).tries).toBe(2);
    expect(sleeps).toEqual([7_250]);
  });

  test('a retried call ends with the hint when Retry-After is more than a minute', async () => {
    const server = await provider(busy({ 'retry-after': '61' }));
    const failure = await failureOf(onClock(server).model.call(requestOf()));
    expect(failure).toMatchObject({
      failure: 'rate_limit',
      details: { tries: 1, status: 429, retryAfterSeconds: 61 },
    });
  });

  test('a retried call stops waiting when it is cancelled', async () => {
    const server = await provider(busy({ 'retry-after': '50' }));
    const { model, sleeps } = onClock(server);
    const cancel = new AbortController();
    const call = model.call(requestOf('', { signal: cancel.signal }));
    await waitFor(() => sleeps.length === 1);
    cancel.abort(new Error('the deadline passed'));
    await expect(call).rejects.toThrow('the deadline passed');
    expect(server.requests.length).toBe(1);
  });
});

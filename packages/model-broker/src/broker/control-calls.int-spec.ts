import { WIRE_KEYS } from '@agentclash/domain';
import { waitFor } from '@agentclash/testkit';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { CHAT, CHAT_REPLY, EXCHANGES, TASK } from '../testing/exchanges.js';
import { brokerOf, KEY, RawProvider, type ReceivedRequest, send, sse } from '../testing/harness.js';

let provider: RawProvider;
let baseUrl: string;
/** The statuses for the program's requests, in order; the last repeats. Control calls have status 200. */
let statuses: number[];
let controlStatus: number;
beforeEach(async () => {
  provider = new RawProvider();
  baseUrl = await provider.start();
  statuses = [403];
  controlStatus = 200;
  provider.handler = (received, response) => {
    const status = isControl(received)
      ? controlStatus
      : ((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200);
    response.writeHead(status, { 'content-type': 'application/json' });
    const error = { message: `the feature is not enabled for ${KEY}`, code: 'not_enabled' };
    response.end(JSON.stringify(status === 200 ? CHAT_REPLY : { error }));
  };
});
afterEach(async () => await provider.close());

const isControl = ({ body }: ReceivedRequest) => !JSON.stringify(body).includes(TASK);
const controls = () => provider.received.filter(isControl);

describe('A request that the provider refuses', () => {
  test.each([403, 409, 400, 404, 422, 501])(
    'A status %i for one request of a model that works is the program’s, which gets the provider’s words',
    async (status) => {
      statuses = [status];
      const { broker, calls } = brokerOf(baseUrl);
      const reply = await send(broker, CHAT);
      expect(reply).toMatchObject({ status, headers: { 'x-should-retry': 'false' } });
      expect(reply.text).toContain('the feature is not enabled');
      expect(reply.text).not.toContain(KEY);
      expect(calls).toMatchObject([
        { end: { kind: 'failed', status, isOfRequest: true, controlUsage: { input: 7, output: 3 } } },
      ]);
      expect(controls()).toHaveLength(1);
      broker.close();
    },
  );

  test.each([
    [403, 'auth'],
    [404, 'invalid_request'],
  ])('A status %i for every request is an error of the account', async (status, failure) => {
    statuses = [status];
    controlStatus = status;
    const { broker, calls } = brokerOf(baseUrl);
    const reply = await send(broker, CHAT);
    expect(reply.text).not.toContain('the feature is not enabled');
    expect(calls[0]?.end).toMatchObject({ kind: 'failed', failure, controlFailure: { failure } });
    expect(calls[0]?.end).not.toHaveProperty('isOfRequest');
    broker.close();
  });

  test.each([401, 402, 429, 500])('A status %i leads to no control call', async (status) => {
    statuses = [status];
    const { broker, calls } = brokerOf(baseUrl);
    await send(broker, CHAT);
    expect(calls[0]?.end).not.toHaveProperty('isOfRequest');
    expect(controls()).toEqual([]);
    broker.close();
  });

  test('A 429 for a request that is larger than the account may send is the program’s, as a 400', async () => {
    provider.handler = (received, response) => {
      const message = 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000.';
      const refused = { status: 429, body: { error: { message, code: 'rate_limit_exceeded' } } };
      const { status, body } = isControl(received) ? { status: 200, body: CHAT_REPLY } : refused;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const { broker, calls } = brokerOf(baseUrl);
    const reply = await send(broker, CHAT);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('Request too large');
    expect(calls).toMatchObject([{ end: { status: 429, tries: 1, isOfRequest: true } }]);
    broker.close();
  });

  test('A refused request of a model that has worked needs no control call, but for a 403', async () => {
    statuses = [200, 400, 403];
    const { broker, calls } = brokerOf(baseUrl);
    for (const _ of [1, 2, 3]) await send(broker, CHAT);
    expect(calls.map(({ end }) => end)).toMatchObject([
      { kind: 'completed' },
      { status: 400, isOfRequest: true },
      { status: 403, isOfRequest: true },
    ]);
    expect(controls()).toHaveLength(1);
    broker.close();
  });

  test('A program that repeats a refused request causes a bounded number of control calls', async () => {
    const { broker, calls } = brokerOf(baseUrl);
    for (let count = 0; count < 20; count += 1) await send(broker, CHAT);
    expect(controls()).toHaveLength(8);
    expect(calls.every(({ end }) => end?.kind === 'failed' && end.isOfRequest)).toBe(true);
    broker.close();
  });

  test('A program that leaves before the control call ends has failed all the same', async () => {
    let finish = () => {};
    const { handler } = provider;
    provider.handler = async (received, response) => {
      if (isControl(received)) await new Promise<void>((resolve) => (finish = resolve));
      await handler(received, response);
    };
    const { broker, calls } = brokerOf(baseUrl);
    const leaving = new AbortController();
    const reply = send(broker, { ...CHAT, signal: leaving.signal }).catch(() => 'left');
    await waitFor(() => controls().length > 0);
    leaving.abort();
    expect(await reply).toBe('left');
    finish();
    await waitFor(() => calls[0]?.end !== undefined);
    expect(calls).toMatchObject([{ end: { kind: 'failed', isOfRequest: true } }]);
    broker.close();
  });

  test.each(WIRE_KEYS)(
    'A control call in the API %s is a request that its provider accepts',
    async (wire) => {
      const { path, sentTo, body, keyHeader } = EXCHANGES[wire];
      const { broker } = brokerOf(baseUrl);
      await send(broker, { path, body });
      const [control] = controls();
      const [name, value] = keyHeader;
      expect(control?.headers[name]).toBe(value);
      expect(control?.path).toBe(sentTo.replace('streamGenerateContent?alt=sse', 'generateContent'));
      expect(JSON.stringify(control?.body)).toContain('Reply with OK.');
      if (wire !== 'google') expect(control?.body.model).toBe('real-main');
      if (wire === 'anthropic') expect(control?.headers['anthropic-version']).toBe('2023-06-01');
      broker.close();
    },
  );
});

describe('An error inside of a stream', () => {
  test.each([
    ['overloaded_error', 'rate_limit', false],
    ['context_length_exceeded', 'context_length', true],
  ])('An error %s in a stream is a failed call of the class %s', async (type, failure, isOfRequest) => {
    provider.handler = (_received, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const { responses } = EXCHANGES;
      const failed = { id: 'r1', model: 'm', status: 'failed', error: { code: type, message: 'no' } };
      response.end(sse([...responses.events.slice(0, 2), { type: 'response.failed', response: failed }]));
    };
    const { broker, calls } = brokerOf(baseUrl);
    await send(broker, EXCHANGES.responses);
    await waitFor(() => calls[0]?.end !== undefined);
    expect(calls[0]?.end).toMatchObject({ kind: 'failed', failure, isOfRequest });
    broker.close();
  });
});

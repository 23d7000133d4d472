import { describe, expect, test } from '@jest/globals';
import { ApiError, createClient, routes } from './index.js';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Record<string, string>;
  body: unknown;
  signal: AbortSignal | null | undefined;
}

/** A client whose requests are handled by the given function. */
function clientOn(respond: (sent: Sent) => Response | Promise<Response>) {
  const sent: Sent[] = [];
  const fake = (async (url: string, init: RequestInit) => {
    const request: Sent = {
      url,
      method: init.method,
      headers: init.headers as Record<string, string>,
      body: init.body,
      signal: init.signal,
    };
    sent.push(request);
    return await respond(request);
  }) as typeof fetch;
  const client = createClient({ baseUrl: 'http://api.test/', token: 'ac_t', workspace: 'team', fetch: fake });
  return { client, sent };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

describe('a call', () => {
  test('a call sends path, query, token and JSON body', async () => {
    const { client, sent } = clientOn(() => json({ items: [], next_cursor: null }));
    await client.call(routes.runs.list, { query: { status: 'running', limit: 3, cursor: undefined } });
    await client.call(routes.deployments.create, {
      params: { ws: 'a/b ü' },
      body: { name: 'x', kind: 'scripted', config: {} },
      idempotencyKey: 'k1',
    });
    expect(sent[0]).toMatchObject({
      url: 'http://api.test/v1/workspaces/team/runs?status=running&limit=3',
      method: 'GET',
      headers: { authorization: 'Bearer ac_t' },
      body: undefined,
    });
    expect(sent[1]).toMatchObject({
      url: 'http://api.test/v1/workspaces/a%2Fb%20%C3%BC/deployments',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: '{"name":"x","kind":"scripted","config":{}}',
    });
  });

  test('a pack is sent as its bytes, and a file as a form', async () => {
    const { client, sent } = clientOn(() => json({}));
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf]);
    await client.call(routes.packs.validate, { body: bytes, query: { strict: true } });
    await client.call(routes.artifacts.upload, { body: { file: new Blob(['x']), name: 'a.txt' } });
    expect(sent[0]?.body).toBe(bytes);
    expect(sent[0]).toMatchObject({
      url: 'http://api.test/v1/workspaces/team/challenge-packs/validate?strict=true',
      headers: { 'content-type': 'application/yaml' },
    });
    const form = sent[1]?.body as FormData;
    expect((form.get('file') as File).name).toBe('a.txt');
    expect(sent[1]?.headers).not.toHaveProperty('content-type');
  });

  test('a pack with files is sent as a form: the document first, each file under its path', async () => {
    const { client, sent } = clientOn(() => json({}));
    const files = ['fixtures/a.csv', 'b'].map((name) => ({ name, file: new Blob([name]) }));
    await client.call(routes.packs.publish, { body: { bundle: new Uint8Array([1, 255]), files } });
    const form = sent[0]?.body as FormData;
    expect(sent[0]?.headers).not.toHaveProperty('content-type');
    expect([...form.keys()]).toEqual(['bundle', 'fixtures/a.csv', 'b']);
    expect(new Uint8Array(await (form.get('bundle') as File).arrayBuffer())).toEqual(
      new Uint8Array([1, 255]),
    );
    expect(await (form.get('fixtures/a.csv') as File).text()).toBe('fixtures/a.csv');
    expect(sent[0]?.signal).toBeUndefined();
  });

  test('a call returns JSON, nothing, or the response itself, as its route declares', async () => {
    expect(await clientOn(() => json({ role: 'admin' })).client.call(routes.workspaces.whoami)).toEqual({
      role: 'admin',
    });
    const { client } = clientOn(() => new Response(null, { status: 204 }));
    expect(await client.call(routes.secrets.remove, { params: { key: 'A' } })).toBeUndefined();
    const bundle = clientOn(() => new Response('bytes')).client.call(routes.versions.bundle, {
      params: { version_id: 'v' },
    });
    expect(await (await bundle).text()).toBe('bytes');
  });

  test('a call with an empty path parameter is refused', async () => {
    const { client, sent } = clientOn(() => json({}));
    await expect(client.call(routes.runs.get, { params: { run_id: '' } })).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});

describe('a failed call', () => {
  const failure = async (respond: () => Response | Promise<Response>) => {
    const error = await clientOn(respond)
      .client.call(routes.workspaces.whoami)
      .catch((thrown: unknown) => thrown);
    if (error instanceof ApiError) return error;
    throw error;
  };

  test('a failed call has all members of the problem document', async () => {
    const document = {
      type: 'urn:agentclash:problem:input_set_required',
      title: 'The version has several input sets: choose one',
      status: 422,
      code: 'input_set_required',
      detail: 'Choose one.',
      request_id: 'r1',
      errors: [{ code: 'missing', field: 'challenge_input_set_id', message: 'must be given' }],
      input_sets: [{ key: 'smoke' }],
    };
    expect(await failure(() => json(document, 422))).toMatchObject({
      message: 'Choose one.',
      status: 422,
      code: 'input_set_required',
      request_id: 'r1',
      errors: document.errors,
      facts: { input_sets: document.input_sets },
      exitCode: 64,
      retryAfter: null,
    });
  });

  test('a failed call has the seconds until a retry', async () => {
    const problem = { code: 'rate_limited', detail: 'Too many.' };
    const error = await failure(() => json(problem, 429, { 'retry-after': '7' }));
    expect(error).toMatchObject({ retryAfter: 7, exitCode: 75 });
  });

  test.each([
    [401, 'unauthenticated', 77],
    [403, 'forbidden', 77],
    [404, 'not_found', 66],
    [413, 'too_large', 64],
    [418, 'unreadable', 64],
    [500, 'internal', 75],
    [502, 'unavailable', 69],
    [503, 'unavailable', 69],
  ])('the status %d of a proxy becomes "%s"', async (status, code, exitCode) => {
    const page = () =>
      Object.defineProperty(new Response('<html>', { status }), 'url', { value: 'http://p.test/x' });
    expect(await failure(page)).toMatchObject({ status, code, exitCode, request_id: null });
  });

  test('a call that reaches no server is "unavailable", and names the address', async () => {
    const error = await failure(() => {
      throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    });
    expect(error).toMatchObject({ code: 'unavailable', exitCode: 69, request_id: null });
    expect(error.message).toContain('http://api.test');
  });

  test.each(['ünï 日本', 'ac_\u200bt', 'ac_a\nac_b'])(
    'a token that no header can hold is "unauthenticated", and is not sent: %j',
    async (token) => {
      const client = createClient({ baseUrl: 'http://api.test', token, fetch: () => Promise.reject() });
      const unauthenticated = {
        code: 'unauthenticated',
        exitCode: 77,
        detail: expect.stringContaining('characters'),
      };
      await expect(client.call(routes.workspaces.whoami)).rejects.toMatchObject(unauthenticated);
      await expect(client.events('r').next()).rejects.toMatchObject(unauthenticated);
    },
  );

  test('a server that is not AgentClash is named in the error', async () => {
    const error = await failure(() => new Response('<html>'));
    expect(error.message).toContain('Is that an AgentClash server?');
  });

  test('a call that takes too long is "unavailable"', async () => {
    const slow = (async (_url: string, { signal }: RequestInit) =>
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      })) as typeof fetch;
    const client = createClient({ baseUrl: 'http://api.test', fetch: slow, timeoutMs: 1 });
    await expect(client.call(routes.workspaces.whoami)).rejects.toMatchObject({
      code: 'unavailable',
      detail: 'http://api.test did not respond in time.',
    });
  });

  test('an abort by the caller is passed on as such', async () => {
    const { client } = clientOn(({ signal }) => {
      signal?.throwIfAborted();
      return json({});
    });
    const call = (signal: AbortSignal) => client.call(routes.workspaces.whoami, { signal });
    await expect(call(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(call(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});

describe('the events of a run', () => {
  const event = (position: number) => `id: ${position}\nevent: e\ndata: ${JSON.stringify({ position })}\n\n`;
  const stream = (...positions: number[]) => new Response(positions.map(event).join(''));
  const over = () => new Response(null, { status: 204 });

  /** Connections handled one after the other. */
  function eventsOf(responses: (() => Response)[], options = {}) {
    const { client, sent } = clientOn(() => (responses.shift() ?? over)());
    return { events: client.events('r', options), sent };
  }

  async function positions(events: AsyncIterable<{ position: number }>): Promise<number[]> {
    const seen: number[] = [];
    for await (const { position } of events) seen.push(position);
    return seen;
  }

  test('events come once each and in order over any number of connections, each resuming after the last', async () => {
    const { events, sent } = eventsOf([() => stream(3, 4), () => stream(4, 5), () => stream()], { after: 2 });
    expect(await positions(events)).toEqual([3, 4, 5]);
    expect(sent.map(({ headers }) => headers['last-event-id'])).toEqual(['2', '4', '5', '5']);
  });

  test('events continue after a temporary failure', async () => {
    const unavailable = () => json({ code: 'unavailable', detail: 'away' }, 503);
    const notices: string[] = [];
    const { events } = eventsOf([() => stream(1), unavailable, unavailable, () => stream(2)], {
      onLost: (reconnectTimeoutMs: number) => notices.push(`lost, waits ${reconnectTimeoutMs}`),
      onBack: () => notices.push('back'),
    });
    expect(await positions(events)).toEqual([1, 2]);
    expect(notices).toEqual(['lost, waits 60000', 'back']);
  });

  test('events end with the error when it is not temporary', async () => {
    const gone = () => json({ code: 'not_found', detail: 'no such run' }, 404);
    await expect(positions(eventsOf([() => stream(1), gone]).events)).rejects.toMatchObject({ status: 404 });
    const unavailable = () => json({ code: 'unavailable', detail: 'away' }, 503);
    const { events } = eventsOf([unavailable, unavailable], { reconnectTimeoutMs: -1 });
    await expect(positions(events)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('reconnecting backs off from a server that only ever ends the stream', async () => {
    const empty = Array.from({ length: 100 }, () => () => stream());
    const { events, sent } = eventsOf(empty, { reconnectTimeoutMs: 400 });
    await expect(positions(events)).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent.length).toBeLessThan(5);
  });

  test('events stop when the reader aborts', async () => {
    const leaving = new AbortController();
    const { events } = eventsOf([() => stream(1, 2)], { signal: leaving.signal });
    expect((await events.next()).value).toEqual({ position: 1 });
    leaving.abort();
    await expect(positions(events)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

import { connect } from 'node:net';
import { routes } from '@agentclash/api';
import { ContractError, deployments, packs, profiles, runs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const WS = '/v1/workspaces/default';
const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('requests', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
  });
  afterAll(async () => await fixture.close());
  beforeEach(() => {
    fixture.fakes.on(packs.list, () => ({ items: [], next_cursor: null }));
  });

  async function problem(target: string, init?: RequestInit) {
    const response = await fixture.request(target, init);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    const body = (await response.json()) as Record<string, unknown> & { errors?: unknown[] };
    expect(body).toMatchObject({ status: response.status, request_id: response.headers.get('x-request-id') });
    return body;
  }

  test.each<[string, string, RequestInit, number, string]>([
    ['an address that does not exist', '/v1/nothing', {}, 404, 'not_found'],
    ['an address that cannot be decoded', '/v1/%zz', {}, 400, 'unreadable'],
    ['a method that is not served', `${WS}/runs`, { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['an id that is none', `${WS}/runs/4x2`, {}, 404, 'not_found'],
    ['a body that is not JSON', `${WS}/runs`, json('{"a":'), 400, 'unreadable'],
    ['an empty body', `${WS}/runs`, json(''), 400, 'unreadable'],
    [
      'a body of another type',
      `${WS}/runs`,
      json('a=1', { 'content-type': 'text/html' }),
      415,
      'unsupported_media_type',
    ],
    ['a body that is nested very deeply', `${WS}/runs`, json('['.repeat(100_000)), 400, 'unreadable'],
    ['a body over 1 MiB', `${WS}/runs`, json(`"${'x'.repeat(1_048_577)}"`), 413, 'too_large'],
    ['a document over 1 MiB', `${WS}/challenge-packs`, json(`"${'x'.repeat(1_048_577)}"`), 413, 'too_large'],
    [
      'a body that was packed on its way',
      `${WS}/runs`,
      json({}, { 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a document as a page',
      `${WS}/challenge-packs`,
      json('x', { 'content-type': 'text/html' }),
      415,
      'unsupported_media_type',
    ],
    ['a limit out of range', `${WS}/runs?limit=201`, {}, 422, 'invalid_input'],
    ['a limit that is no number', `${WS}/runs?limit=1e2`, {}, 422, 'invalid_input'],
    ['an empty limit', `${WS}/runs?limit=`, {}, 422, 'invalid_input'],
    ['a limit given twice', `${WS}/runs?limit=1&limit=2`, {}, 422, 'invalid_input'],
    ['a filter that is not known', `${WS}/runs?state=running`, {}, 422, 'invalid_input'],
    ['a filter with an unknown value', `${WS}/runs?status=busy`, {}, 422, 'invalid_input'],
    ['a filter where none is known', '/v1/whoami?x=1', {}, 422, 'invalid_input'],
    ['U+0000 in a filter', `${WS}/challenge-packs?q=a%00b`, {}, 422, 'invalid_input'],
    ['U+0000 in a path', `${WS}/challenge-packs/a%00b`, {}, 404, 'not_found'],
    ['a key with a blank', `${WS}/runs`, json({}, { 'idempotency-key': 'a b' }), 422, 'invalid_input'],
    [
      'a Last-Event-ID that is none',
      `${WS}/runs/${newId()}/events`,
      { headers: { 'last-event-id': 'x' } },
      422,
      'invalid_input',
    ],
  ])('the request %s is reported as invalid', async (_what, target, init, status, code) => {
    expect(await problem(target, init)).toMatchObject({ status, code });
  });

  test('a method that is not served gets the methods that are', async () => {
    const response = await fixture.request(`${WS}/secrets/A?x=1`, { method: 'PATCH' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('DELETE, PUT');
  });

  test.each(['', '/validate'])('an empty pack is refused as unreadable (%s)', async (target) => {
    const refused = await problem(
      `${WS}/challenge-packs${target}`,
      json('', { 'content-type': 'text/yaml' }),
    );
    expect(refused).toMatchObject({ status: 400, code: 'unreadable', errors: [{ code: 'document_empty' }] });
  });

  test.each(['', '/validate'])(
    'a pack over 1 MiB is refused with a problem of the document (%s)',
    async (target) => {
      const text = json('x'.repeat(1_048_577), { 'content-type': 'text/yaml' });
      const refused = await problem(`${WS}/challenge-packs${target}`, text);
      expect(refused).toMatchObject({ status: 413, errors: [{ code: 'document_too_large' }] });
      expect(refused.detail).toContain('1048576 bytes');
    },
  );

  test.each(['PUT', 'DELETE'])('%s of a secret with an invalid key gets the rule of keys', async (method) => {
    const init = method === 'PUT' ? { ...json({ value: 'x' }), method } : { method };
    const refused = await problem(`${WS}/secrets/bad%20key`, init);
    expect(refused).toMatchObject({ status: 422, code: 'invalid_input', errors: [{ field: 'key' }] });
    expect(refused.detail).toMatch(/^"bad key" is no secret name: .*letters.*digits.*\.$/);
  });

  test('bytes that are not UTF-8 are refused, not repaired', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { 'content-type': 'application/json' };
    expect(await problem(`${WS}/tokens`, { method: 'POST', headers, body })).toMatchObject({ status: 400 });
  });

  test('all problems of a body are named at once, unknown members with the nearest name', async () => {
    const body = {
      challenge_pack_version_id: 'x',
      deployment_id: [newId()],
      deployment_names: [],
      repetitions: 101,
    };
    const { code, errors } = await problem(`${WS}/runs`, json(body));
    expect(code).toBe('invalid_input');
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'challenge_pack_version_id' }),
        expect.objectContaining({ field: 'deployment_names' }),
        expect.objectContaining({ field: 'repetitions' }),
        expect.objectContaining({
          code: 'unknown_field',
          field: 'deployment_id',
          suggestion: 'deployment_ids',
        }),
      ]),
    );
  });

  test('a problem inside a nested member is named by its path', async () => {
    const profile = { name: 'p', sandbox: { cpus: 2 } };
    const { errors } = await problem(`${WS}/runtime-profiles`, json(profile));
    expect(errors).toMatchObject([{ field: 'sandbox.cpus', suggestion: 'cpu' }]);
    const deployment = { name: 'd', kind: 'program', config: { comand: ['x'] } };
    const second = await problem(`${WS}/deployments`, json(deployment));
    expect(second.errors).toContainEqual(
      expect.objectContaining({ field: 'config.comand', suggestion: 'command' }),
    );
  });

  test("a service's error is passed on with its code, its text and its details", async () => {
    fixture.fakes.on(runs.create, () => {
      throw new ContractError('input_set_required', 'Choose one.', { input_sets: [{ key: 'smoke' }] });
    });
    const body = { challenge_pack_version_id: newId(), deployment_ids: [newId()] };
    expect(await problem(`${WS}/runs`, json(body))).toMatchObject({
      status: 422,
      code: 'input_set_required',
      detail: 'Choose one.',
      input_sets: [{ key: 'smoke' }],
      title: 'The version has several input sets: choose one',
    });
  });

  test('the response to a bug of a service reveals nothing', async () => {
    fixture.fakes.on(packs.list, () => {
      throw new TypeError('the database password is hunter2');
    });
    const body = await problem(`${WS}/challenge-packs`);
    expect(body).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(body)).not.toMatch(/password|hunter2/);
  });

  test('an unavailable service gets the status 503 with Retry-After', async () => {
    fixture.fakes.on(packs.list, () => {
      throw new ContractError('unavailable', 'The service behind "packs" is unavailable.');
    });
    const response = await fixture.request(`${WS}/challenge-packs`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
  });

  test('a valid request id is adopted, an invalid one is replaced', async () => {
    const taken = await fixture.request('/v1/whoami', { headers: { 'x-request-id': 'ci-7/a.b' } });
    expect(taken.headers.get('x-request-id')).toBe('ci-7/a.b');
    const made = await fixture.request('/v1/whoami', { headers: { 'x-request-id': '<script>' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['/v1/whoami', '/v1/nothing', '/v1/%zz', '/healthz'])(
    'the response to %s has security headers',
    async (target) => {
      const { headers } = await fixture.request(target);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('x-request-id')).not.toBeNull();
    },
  );

  test('a request is logged with its ids and its route, never with its address', async () => {
    const logged = fixture.logged.length;
    const response = await fixture.request(`${WS}/runtime-profiles/${newId()}?secret=1`);
    const request_id = response.headers.get('x-request-id');
    const whoami = await fixture.client().call(routes.workspaces.whoami);
    await waitFor(() => fixture.logged.slice(logged).some((line) => line.includes(`${request_id}`)));
    const lines = fixture.logged.slice(logged).map((line): Record<string, unknown> => JSON.parse(line));
    const line = lines.find((each) => each.msg === 'request completed' && each.request_id === request_id);
    expect(line).toMatchObject({
      method: 'GET',
      route: '/v1/workspaces/:ws/runtime-profiles/:profile_id',
      status: 422,
      duration_ms: expect.any(Number),
      caller: whoami.token.name,
      workspace_id: whoami.workspace?.id,
    });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  test('health and documentation require no token', async () => {
    const open = async (target: string) => await fetch(`${fixture.gateway.url}${target}`);
    expect(await (await open('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await open('/readyz')).json()).toEqual({
      ready: true,
      parts: { bus: 'ok', database: 'ok' },
    });
    const openapi = (await (await open('/v1/openapi.json')).json()) as { openapi: string; paths: object };
    expect(openapi.openapi).toBe('3.1.0');
    expect(Object.keys(openapi.paths)).toContain('/v1/workspaces/{ws}/runs/{run_id}/events');
  });

  test('a document is sent to the registry byte for byte, with the publisher and strictness', async () => {
    const document = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0d, 0x0a]);
    fixture.fakes.on(packs.publish, () => {
      throw new ContractError('invalid_pack', 'The challenge pack has 1 error.', {
        errors: [{ code: 'encoding', field: '', message: 'not UTF-8', line: 1, column: 5 }],
      });
    });
    const published = fixture
      .client()
      .call(routes.packs.publish, { body: document, query: { strict: true } });
    await expect(published).rejects.toMatchObject({
      status: 422,
      code: 'invalid_pack',
      errors: [{ line: 1, column: 5 }],
    });
    expect(fixture.fakes.last(packs.publish)).toMatchObject({
      document_base64: document.toString('base64'),
      strict: true,
      actor: 'bootstrap',
    });
  });

  test.each([
    [true, 201],
    [false, 200],
  ])('publishing with created %s has status %d', async (created, status) => {
    const id = newId();
    const published = {
      created,
      challenge_pack_id: id,
      challenge_pack_version_id: id,
      evaluation_spec_id: id,
      input_set_ids: [id],
      input_sets: [{ id, key: 'smoke' }],
      bundle_artifact_id: id,
      version_number: 1,
      digest: 'sha256:x',
      warnings: [],
    };
    fixture.fakes.on(packs.publish, () => published);
    const response = await fixture.request(
      `${WS}/challenge-packs`,
      json('a: 1', { 'content-type': 'text/yaml' }),
    );
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(published);
  });

  test('a manifest is returned as canonical JSON', async () => {
    fixture.fakes.on(packs.manifest, () => ({
      digest: 'sha256:d',
      manifest: { b: 1, a: { d: 'ä', c: 1e21 } },
    }));
    const response = await fixture.request(`${WS}/challenge-pack-versions/${newId()}/manifest`);
    expect(await response.text()).toBe('{"a":{"c":1e+21,"d":"ä"},"b":1}');
    expect(response.headers.get('etag')).toBe('"sha256:d"');
  });

  test('the response to an update states whether anything changed', async () => {
    const profile = {
      id: newId(),
      name: 'p',
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
    };
    fixture.fakes.on(profiles.update, () => ({ applied: 'unchanged' as const, profile }));
    const updated = await fixture.client().call(routes.profiles.update, {
      params: { profile_id: profile.id },
      body: { name: 'p' },
    });
    expect(updated).toEqual({ ...profile, applied: 'unchanged' });
  });

  test('users may write U+0000 and __proto__ in their own values', async () => {
    const seen = { id: newId(), revision: 1, runtime_profile_id: null, status: 'active' as const };
    const times = { created_at: new Date().toISOString(), updated_at: new Date().toISOString() };
    fixture.fakes.on(deployments.create, ({ spec: { name, kind, config } }) => ({
      ...seen,
      ...times,
      name,
      kind,
      config,
    }));
    const text =
      '{"name":"n","kind":"scripted","config":{"steps":[{"call":{"name":"t","arguments":{"__proto__":"\\u0000"}}}]}}';
    const response = await fixture.request(`${WS}/deployments`, json(text));
    expect(response.status).toBe(201);
    expect(await response.text()).toContain('"arguments":{"__proto__":"\\u0000"}');
  });

  test('a HEAD request for a stream opens no stream', async () => {
    const request = fixture.fakes.count(runs.events);
    const response = await fixture.request(`${WS}/runs/${newId()}/events`, { method: 'HEAD' });
    expect(response.status).toBe(405);
    expect(fixture.fakes.count(runs.events)).toBe(request);
  });

  test('pages of configured origins may call the API, and no others', async () => {
    const other = await fixture.startAnother({ CORS_ORIGINS: 'https://a.example, https://b.example' });
    const preflight = async (origin: string) =>
      await fetch(`${other.url}${WS}/runs`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization,idempotency-key',
        },
      });
    const welcome = await preflight('https://b.example');
    expect(welcome.status).toBe(204);
    expect(welcome.headers.get('access-control-allow-origin')).toBe('https://b.example');
    expect(welcome.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(welcome.headers.get('access-control-allow-headers')).toContain('idempotency-key');
    const stranger = await preflight('https://c.example');
    expect(stranger.headers.get('access-control-allow-origin')).not.toBe('https://c.example');
    await other.close();
  });

  test('the gateway survives a request that breaks off', async () => {
    const { hostname, port } = new URL(fixture.gateway.url);
    const logged = fixture.logged.length;
    const socket = connect(Number(port), hostname);
    const head = `POST ${WS}/runs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a"`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    socket.destroy();
    expect((await fixture.request('/v1/whoami')).status).toBe(200);
    expect(fixture.logged.slice(logged).filter((line) => line.includes('request failed'))).toEqual([]);
  });
});

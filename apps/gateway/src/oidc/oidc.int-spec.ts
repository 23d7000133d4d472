import { createHmac } from 'node:crypto';
import { routes } from '@agentclash/api';
import { profiles } from '@agentclash/contracts';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportSPKI } from 'jose';
import { GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';
import { LocalIssuer } from '../testing/local-issuer.js';

const database = await freshDatabase();
const nats = await freshNats();

describe('tokens of an OIDC issuer', () => {
  let issuer: LocalIssuer;
  let other: LocalIssuer;
  let fixture: GatewayFixture;

  beforeAll(async () => {
    [issuer, other] = await Promise.all([LocalIssuer.start(), LocalIssuer.start()]);
    const inWorkspace = (workspace: string, role: string, claims: object) => ({ claims, workspace, role });
    const settings = [
      {
        issuer: issuer.url,
        audience: 'agentclash',
        sign_in: [
          inWorkspace('default', 'viewer', { groups: 'eval' }),
          inWorkspace('default', 'admin', { groups: 'eval-admins' }),
          inWorkspace('second', 'member', { groups: 'eval-admins' }),
          inWorkspace('not-there', 'admin', { groups: '*' }),
        ],
        exchange: [
          inWorkspace('default', 'member', { repository: 'acme/shop', ref: 'refs/heads/*' }),
          inWorkspace('second', 'viewer', { repository: 'acme/*' }),
        ],
        exchange_seconds: 600,
      },
    ];
    fixture = await GatewayFixture.start(
      { database: database.url, nats: nats.url },
      { OIDC_ISSUERS: JSON.stringify(settings) },
    );
    fixture.fakes.on(profiles.list, () => ({ items: [], next_cursor: null }));
    fixture.fakes.on(profiles.create, ({ spec }) => ({ ...spec, id: '' }) as never);
    await fixture.client(OPERATOR).call(routes.workspaces.create, { body: { slug: 'second' } });
  });
  afterAll(async () => {
    await fixture.close();
    await Promise.all([issuer.close(), other.close()]);
  });

  const get = async (path: string, token: string) =>
    await fetch(`${fixture.gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const status = async (path: string, token: string) => (await get(path, token)).status;
  const exchange = async (subject_token: string, more: object = {}) => {
    const response = await fetch(`${fixture.gateway.url}/v1/token-exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subject_token, ...more }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('tokens of an issuer sign people in with the roles that their claims map to, in each workspace', async () => {
    const admin = await issuer.token({ groups: ['eval', 'eval-admins'], email: 'alice@example.com' });
    expect(await (await get('/v1/whoami', admin)).json()).toMatchObject({
      role: 'admin',
      workspace: { slug: 'default' },
      memberships: [
        { workspace: { slug: 'default' }, role: 'admin' },
        { workspace: { slug: 'second' }, role: 'member' },
      ],
      token: { id: null, name: 'alice@example.com' },
    });
    expect(await status('/v1/workspaces/default/tokens', admin)).toBe(200);
    expect(await status('/v1/workspaces/second/runtime-profiles', admin)).toBe(200);
    expect(await status('/v1/workspaces/second/tokens', admin)).toBe(403);

    const viewer = await issuer.token({ groups: 'eval' });
    expect(await status('/v1/workspaces/default/runtime-profiles', viewer)).toBe(200);
    expect(await status('/v1/workspaces/default/tokens', viewer)).toBe(403);
    expect(await status('/v1/workspaces/second/runtime-profiles', viewer)).toBe(404);
    expect(await status('/v1/whoami', await issuer.token({ groups: ['dev'] }))).toBe(403);
  });

  test('a token of an issuer never grants the role of the operator', async () => {
    const token = await issuer.token({ groups: ['eval-admins'], role: 'operator', sub: 'operator' });
    expect(await status('/v1/vault-keys', token)).toBe(403);
  });

  const people = { groups: 'eval-admins' };
  test.each<[string, () => Promise<string>]>([
    ['has no signature', async () => `${encoded({ alg: 'none' })}.${body(await issuer.token(people))}.`],
    [
      'is signed with the public key as a shared secret',
      async () => {
        const head = `${encoded({ alg: 'HS256', kid: issuer.key.jwk.kid })}.${body(await issuer.token(people))}`;
        const secret = await exportSPKI(issuer.key.publicKey);
        return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
      },
    ],
    [
      'has another content than was signed',
      async () => {
        const [head, , signature] = (await issuer.token({ groups: 'other' })).split('.');
        return `${head}.${body(await issuer.token(people))}.${signature}`;
      },
    ],
    ['is for another audience', () => issuer.token({ ...people, aud: 'other' })],
    ['is of another issuer', () => other.token(people)],
    ['names our issuer, but another signed it', () => other.token({ ...people, iss: issuer.url })],
    [
      'brings its own key',
      async () =>
        await other.token(
          { ...people, iss: issuer.url },
          { header: { jwk: other.key.jwk, kid: issuer.key.jwk.kid } },
        ),
    ],
    [
      'names the address of its key',
      async () => await other.token({ ...people, iss: issuer.url }, { header: { jku: `${other.url}/keys` } }),
    ],
    ['has expired', () => issuer.token(people, { lifetime: -120 })],
    ['never expires', () => issuer.token({ ...people, exp: undefined })],
    ['is not valid yet', () => issuer.token({ ...people, nbf: Math.floor(Date.now() / 1_000) + 600 })],
    ['names no one', () => issuer.token({ ...people, sub: undefined })],
    [
      'requires an unknown extension',
      () => issuer.token(people, { header: { crit: ['x'], x: 1 } }).catch(() => 'a.b.c'),
    ],
    ['is of an algorithm that is not listed', async () => issuer.token(people, { key: await unlisted() })],
    ['is malformed', async () => 'a.b.c'],
  ])('a token that %s is refused', async (_what, make) => {
    const token = await make();
    const response = await get('/v1/whoami', token);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
    expect((await exchange(token)).status).toBe(401);
    expect(other.requests).toEqual([]);
  });

  test('a clock skew of a minute is tolerated', async () => {
    expect(await status('/v1/whoami', await issuer.token(people, { lifetime: -30 }))).toBe(200);
  });

  test("a CI job's token is exchanged for a short-lived token of one workspace, and is not accepted itself", async () => {
    const claims = {
      sub: 'repo:acme/shop:ref:refs/heads/main',
      repository: 'acme/shop',
      ref: 'refs/heads/main',
    };
    const job = await issuer.token(claims);
    expect(await status('/v1/whoami', job)).toBe(403);
    expect(await exchange(job)).toMatchObject({ status: 422, body: { errors: [{ field: 'workspace' }] } });
    const { body: made } = await exchange(job, { workspace: 'default' });
    expect(made).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      role: 'member',
      workspace: 'default',
    });
    const token = String(made.access_token);
    expect(token).toMatch(/^ac_/);
    const me = (await (await get('/v1/whoami', token)).json()) as {
      token: { name: string; expires_at: string };
    };
    expect(me.token.name).toBe(claims.sub);
    expect(Date.parse(me.token.expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(await status('/v1/workspaces/default/tokens', token)).toBe(403);
    await database.query(
      "UPDATE gateway.tokens SET expires_at = now() - interval '1 second' WHERE name = $1",
      [claims.sub],
    );
    expect(await status('/v1/whoami', token)).toBe(401);
  });

  test('a job without a matching rule gets no token, whatever it requests', async () => {
    const fork = await issuer.token({ repository: 'mallory/shop', ref: 'refs/heads/main' });
    expect(await exchange(fork)).toMatchObject({ status: 403 });
    const tag = await issuer.token({ repository: 'acme/shop', ref: 'refs/pull/7/merge' });
    expect(await exchange(tag, { workspace: 'default' })).toMatchObject({ status: 403 });
    expect(await exchange(tag, { workspace: 'not-there' })).toMatchObject({ status: 403 });
    const person = await issuer.token(people);
    expect(await exchange(person)).toMatchObject({ status: 403 });
  });

  test('the keys of an issuer are loaded once, and again when it has new ones', async () => {
    const readings = () => issuer.requests.filter((path) => path === '/keys').length;
    const before = readings();
    for (let each = 0; each < 5; each += 1) await status('/v1/whoami', await issuer.token(people));
    expect(readings()).toBe(before);
    const second = await fixture.startAnother();
    try {
      const statusOfRequest = async () =>
        (
          await fetch(`${second.url}/v1/whoami`, {
            headers: { authorization: `Bearer ${await issuer.token(people)}` },
          })
        ).status;
      issuer.isUnavailable = true;
      expect(await statusOfRequest()).toBe(503);
      issuer.isUnavailable = false;
      await issuer.rotate('RS256');
      expect(await statusOfRequest()).toBe(200);
    } finally {
      issuer.isUnavailable = false;
      await second.close();
    }
  });

  async function unlisted() {
    const key = await other.rotate('ES384');
    return { ...key, jwk: { ...key.jwk, kid: issuer.key.jwk.kid ?? '' } };
  }
});

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function body(token: string): string {
  return token.split('.')[1] ?? '';
}

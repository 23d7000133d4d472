import { type Client, createClient, routes } from '@agentclash/api';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, GatewayFixture, OPERATOR } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const REFUSED = { status: 401, code: 'unauthenticated' };

describe('a browser session', () => {
  let fixture: GatewayFixture;
  let anonymous: Client;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    anonymous = createClient({ baseUrl: fixture.gateway.url });
  });
  afterAll(async () => await fixture.close());

  const codeOf = async (token = ADMIN, session_hours?: number) =>
    await fixture.client(token).call(routes.sessions.createCode, { body: { session_hours } });
  const open = async (code: string) => await anonymous.call(routes.sessions.open, { body: { code } });
  const whoami = async (token: string) => await fixture.client(token).call(routes.workspaces.whoami);
  const tokenOf = async (role: 'viewer' | 'member', expires_at?: string) =>
    await fixture.client().call(routes.tokens.create, { body: { name: role, role, expires_at } });

  test('a code opens one browser session, with the role of the token that created the code', async () => {
    const { token: viewer } = await tokenOf('viewer');
    const { code } = await codeOf(viewer);
    const session = await open(code);
    expect(session).toMatchObject({ role: 'viewer', workspace: 'default' });
    expect(await whoami(session.token)).toMatchObject({
      role: 'viewer',
      token: { name: 'browser session of viewer', expires_at: session.expires_at },
    });
    await expect(open(code)).rejects.toMatchObject(REFUSED);
  });

  test('one of two concurrent uses of a code opens a session', async () => {
    const { code } = await codeOf();
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => open(code)));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a code that has expired, is unknown, or whose token was revoked opens no session', async () => {
    const late = await codeOf();
    await database.query(`UPDATE gateway.sign_in_codes SET expires_at = now() - interval '1 second'`);
    await expect(open(late.code)).rejects.toMatchObject(REFUSED);
    await expect(open('x'.repeat(32))).rejects.toMatchObject(REFUSED);
    const { id, token } = await tokenOf('member');
    const { code } = await codeOf(token);
    await fixture.client().call(routes.tokens.revoke, { params: { token_id: id } });
    await expect(open(code)).rejects.toMatchObject(REFUSED);
  });

  test('a session lasts as long as requested, and never longer than its token', async () => {
    const hours = ({ expires_at }: { expires_at: string }) =>
      (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(hours(await open((await codeOf()).code))).toBeCloseTo(12, 1);
    expect(hours(await open((await codeOf(ADMIN, 720)).code))).toBeCloseTo(720, 1);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const { token } = await tokenOf('member', soon);
    expect(hours(await open((await codeOf(token, 720)).code))).toBeCloseTo(1, 1);
  });

  test('a session ends with its token, also one that was opened from another session', async () => {
    const { id, token } = await tokenOf('member');
    const first = await open((await codeOf(token)).code);
    const second = await open((await codeOf(first.token)).code);
    await fixture.client().call(routes.tokens.revoke, { params: { token_id: id } });
    for (const ended of [first, second]) await expect(whoami(ended.token)).rejects.toMatchObject(REFUSED);
  });

  test('signing out ends the session, and never a lasting token', async () => {
    const session = await open((await codeOf()).code);
    await fixture.client(session.token).call(routes.sessions.close);
    await expect(whoami(session.token)).rejects.toMatchObject(REFUSED);
    const { token } = await tokenOf('viewer');
    await fixture.client(token).call(routes.sessions.close);
    expect(await whoami(token)).toMatchObject({ role: 'viewer' });
  });

  test('the operator, which belongs to no workspace, gets no session', async () => {
    await expect(codeOf(OPERATOR)).rejects.toMatchObject({ status: 403 });
  });

  test('sessions and their codes are stored as hashes only', async () => {
    const { code } = await codeOf();
    const { token } = await open((await codeOf()).code);
    const rows = await database.query(
      `SELECT t::text AS text FROM gateway.tokens t UNION ALL SELECT c::text FROM gateway.sign_in_codes c`,
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const text of [code, token]) expect(JSON.stringify(rows)).not.toContain(text);
  });
});

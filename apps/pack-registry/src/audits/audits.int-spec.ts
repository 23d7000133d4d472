import { type Bus, BusConnection, provisionStreams } from '@agentclash/bus';
import { type AuditReport, auditJobs, auditLeases, audits, type In, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats, waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packText } from '../testing/pack-text.js';
import { TestRegistry } from '../testing/test-registry.js';

const database = await freshDatabase();
const nats = await freshNats();

/** The audits whose jobs were sent. */
const delivered: string[] = [];

describe('audits of published versions', () => {
  let registry: TestRegistry;
  let bus: Bus;
  let connection: BusConnection;
  let count = 0;

  beforeAll(async () => {
    connection = await BusConnection.open({ servers: [nats.url], name: 'sandbox-executor' });
    await provisionStreams(await connection.jetstreamManager(), 1);
    connection.nats.subscribe(auditJobs.run.subject, {
      callback: (_error, message) => void delivered.push(message.json<In<typeof auditJobs.run>>().audit_id),
    });
    registry = await TestRegistry.start({ database: database.url, nats: nats.url });
    ({ bus } = registry);
  });

  afterAll(async () => {
    await connection.close();
    await registry.close();
  });

  /** A version of a workspace of its own. */
  const version = async (workspaceId = newId()) => {
    const published = await registry.publish(packText({ slug: `pack-${++count}` }), { workspaceId });
    const of = { workspace_id: workspaceId, version_id: published.challenge_pack_version_id };
    return { ...of, digest: published.digest };
  };
  const create = (of: { workspace_id: string; version_id: string }, quick = false) =>
    bus.call(audits.create, {
      workspace_id: of.workspace_id,
      version_id: of.version_id,
      quick,
      actor: 'tests',
    });
  const claim = async (audit_id: string, executor_id: string) =>
    (await bus.call(auditLeases.claim, { audit_id, executor_id })).audit;
  const arrived = async (audit_id: string, times = 1) =>
    await waitFor(() => delivered.filter((id) => id === audit_id).length >= times, { timeoutMs: 30_000 });
  const expireLease = (id: string) =>
    database.query(`UPDATE packs.audits SET lease_until = now() - interval '1 s' WHERE id = $1`, [id]);

  test('concurrent requests for an audit of one version are one audit, which is sent to an executor', async () => {
    const of = await version();
    const all = await Promise.all([create(of), create(of), create(of)]);
    expect(new Set(all.map(({ audit }) => audit.id)).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    const [{ audit }] = all;
    expect(audit).toMatchObject({ status: 'queued', digest: of.digest, quick: false, certificate: null });
    await arrived(audit.id);
    await expect(create(of, true)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('a completed audit is the certificate of its version, until a newer one has completed', async () => {
    const of = await version();
    const first = await complete(of, 'passed');
    const { version_id, workspace_id } = of;
    const read = () => bus.call(packs.getVersion, { workspace_id, version_id });
    expect((await read()).audit).toMatchObject({
      ...{ audit_id: first, result: 'passed', strength: 0.9, graders: 17, graders_tried: 5 },
    });
    const second = await complete(of, 'failed');
    expect((await read()).audit).toMatchObject({ audit_id: second, result: 'failed', digest: of.digest });
    const details = await bus.call(audits.get, { workspace_id, version_id, audit_id: second });
    expect(details).toMatchObject({ status: 'completed', progress: null, report: { result: 'failed' } });
    const { items, next_cursor } = await bus.call(audits.list, { workspace_id, version_id, limit: 1 });
    expect(items.map(({ id }) => id)).toEqual([second]);
    const rest = await bus.call(audits.list, { workspace_id, version_id, cursor: next_cursor ?? '' });
    expect(rest.items.map(({ id }) => id)).toEqual([first]);
  });

  test('an audit whose executor stopped is delivered again, and the old delivery can report nothing', async () => {
    const of = await version();
    const { audit } = await create(of);
    await arrived(audit.id);
    const first = await claim(audit.id, 'one');
    expect(first?.delivery).toBe(1);
    expect(await claim(audit.id, 'two')).toBeNull();
    await expireLease(audit.id);
    await arrived(audit.id, 2);
    const second = await claim(audit.id, 'two');
    expect(second?.delivery).toBe(2);
    const stale = { audit_id: audit.id, executor_id: 'one', delivery: 1 };
    expect(await bus.call(auditLeases.renew, { ...stale, progress: null })).toEqual({ fate: 'lost' });
    const end = { report: report(of.digest, 'passed') };
    expect(await bus.call(auditLeases.finish, { ...stale, end })).toEqual({ accepted: false });
    const held = { audit_id: audit.id, executor_id: 'two', delivery: 2 };
    expect(await bus.call(auditLeases.finish, { ...held, end })).toEqual({ accepted: true });
  });

  test('an audit that ends three executors fails with the reason', async () => {
    const of = await version();
    const { audit } = await create(of);
    for (const times of [1, 2, 3]) {
      await arrived(audit.id, times);
      expect(await claim(audit.id, 'one')).not.toBeNull();
      await expireLease(audit.id);
    }
    const get = () => bus.call(audits.get, { ...idsOf(of), audit_id: audit.id });
    await waitFor(async () => (await get()).status === 'failed', { timeoutMs: 30_000 });
    expect((await get()).error).toMatchObject({ code: 'executor_lost' });
  });

  test('an audit that an executor gives back is sent again at once, and is not lost', async () => {
    const { audit } = await create(await version());
    await arrived(audit.id);
    const held = { audit_id: audit.id, executor_id: 'one', delivery: 1 };
    await claim(audit.id, 'one');
    await bus.call(auditLeases.finish, { ...held, end: { released: true } });
    await arrived(audit.id, 2);
    expect((await claim(audit.id, 'two'))?.delivery).toBe(2);
  });

  test('progress of an audit is readable, and its executor learns that it was cancelled', async () => {
    const of = await version();
    const { audit } = await create(of);
    await arrived(audit.id);
    await claim(audit.id, 'one');
    const held = { audit_id: audit.id, executor_id: 'one', delivery: 1 };
    const progress = { check: 'cheats', done: 3, total: 60 };
    expect(await bus.call(auditLeases.renew, { ...held, progress })).toEqual({ fate: 'held' });
    const which = { ...idsOf(of), audit_id: audit.id };
    expect(await bus.call(audits.get, which)).toMatchObject({ status: 'running', progress });
    expect(await bus.call(audits.cancel, which)).toMatchObject({ status: 'cancelled' });
    expect(await bus.call(auditLeases.renew, { ...held, progress })).toEqual({ fate: 'cancelled' });
    expect(await bus.call(audits.cancel, which)).toMatchObject({ status: 'cancelled' });
  });

  test('a completed audit is a record that cannot be cancelled', async () => {
    const of = await version();
    const audit_id = await complete(of, 'failed');
    await expect(bus.call(audits.cancel, { ...idsOf(of), audit_id })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('a workspace has one audit under way, so that the audits of another do not wait for its queue', async () => {
    const busy = newId();
    const queued = [];
    for (let at = 0; at < 3; at++) queued.push((await create(await version(busy))).audit.id);
    const [first = '', second = ''] = queued;
    await arrived(first);
    await claim(first, 'one');
    const other = await create(await version());
    await arrived(other.audit.id);
    expect(delivered).not.toContain(second);
    const held = { audit_id: first, executor_id: 'one', delivery: 1 };
    const end = { error: { code: 'time_limit', message: 'too long' } };
    await bus.call(auditLeases.finish, { ...held, end });
    await arrived(second);
  });

  test('another workspace sees no audit of a version, and starts none', async () => {
    const of = await version();
    const { audit } = await create(of);
    const elsewhere = { ...idsOf(of), workspace_id: newId() };
    await expect(create(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(bus.call(audits.list, elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(bus.call(audits.get, { ...elsewhere, audit_id: audit.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('an audit whose seed a user chose, as earlier versions allowed, is no certificate', async () => {
    const of = await version();
    const { version_id, workspace_id } = of;
    const read = () => bus.call(packs.getVersion, { workspace_id, version_id });
    const first = await complete(of, 'failed');
    const chosen = await complete(of, 'passed');
    await database.query('UPDATE packs.audits SET seed = $2 WHERE id = $1', [chosen, 'a']);
    expect((await read()).audit).toMatchObject({ audit_id: first, result: 'failed' });
  });

  test('a policy names what a version lacks of the audit that the workspace requires', async () => {
    const of = await version();
    const shortfall = async () => (await bus.call(packs.getVersion, idsOf(of))).audit_shortfall;
    const { workspace_id } = of;
    expect(await bus.call(audits.policy, { workspace_id })).toEqual({
      require_audit: false,
      updated_at: null,
    });
    expect(await shortfall()).toBeUndefined();
    const set = (policy: In<typeof audits.setPolicy>['policy']) =>
      bus.call(audits.setPolicy, { workspace_id, policy, actor: 'tests' });
    await set({ require_audit: true });
    expect(await shortfall()).toBe('audit_missing');
    await complete(of, 'passed');
    expect(await shortfall()).toBeUndefined();
    expect(await set({ require_audit: true, min_strength: 0.95 })).toMatchObject({ min_strength: 0.95 });
    expect(await shortfall()).toBe('audit_strength_below_minimum');
    await set({ require_audit: false, min_strength: 0.95 });
    expect(await shortfall()).toBeUndefined();
  });

  async function complete(
    of: { workspace_id: string; version_id: string; digest: string },
    result: AuditReport['result'],
  ): Promise<string> {
    const { audit } = await create(of);
    await arrived(audit.id);
    await claim(audit.id, 'one');
    const held = { audit_id: audit.id, executor_id: 'one', delivery: 1 };
    const end = { report: report(of.digest, result) };
    await bus.call(auditLeases.finish, { ...held, end });
    return audit.id;
  }
});

function idsOf({ workspace_id, version_id }: { workspace_id: string; version_id: string }) {
  return { workspace_id, version_id };
}

function report(digest: string, result: AuditReport['result']): AuditReport {
  const passed = { state: 'passed' as const, trials: 2, summary: 'as it should be' };
  return {
    schema: 'agentclash.pack-audit/1',
    pack: { slug: 'pack', number: 1, digest },
    version: '0.1.0',
    audited_at: new Date().toISOString(),
    duration_ms: 1,
    sandbox: { provider: 'bubblewrap', isolation: 'process' },
    options: { quick: false, seed: digest, cases: 1, cases_total: 1 },
    result,
    checks: {
      ...{ static: passed, idle: passed, echo: passed, blank: passed },
      oracle: { ...passed, cases: 1, passed: 1, repetitions: 5, flake_rate: 0 },
      cheats: { ...passed, tried: 60, gained: 0, graders: 17, graders_tried: 5 },
      strength: { ...passed, mutants: 10, noticed: 9, strength: 0.9 },
    },
    findings: [],
  };
}

import { type In, vault } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKey, VaultFixture } from '../testing/vault-fixture.js';

const VALUE = 'tok-5f2c/ä+9=';
const fixture = await VaultFixture.open();
const { workspaceId: workspace_id } = fixture;

const keys = { VAULT_KEYS: JSON.stringify({ k1: newKey() }), VAULT_ACTIVE_KEY: 'k1' };

beforeAll(async () => {
  await fixture.start(keys);
});
afterAll(() => fixture.close());

describe('the vault on real Postgres and NATS', () => {
  test('a list of secrets has metadata and never a value', async () => {
    expect(await fixture.set('LISTED', VALUE, { hosts: ['*.example.com'] })).toEqual({
      version: 1,
      created: true,
    });
    expect(await fixture.set('LISTED', `${VALUE}2`)).toEqual({ version: 2, created: false });
    const { items } = await fixture.bus.call(vault.list, { workspace_id });
    expect(items).toMatchObject([
      { key: 'LISTED', version: 2, hosts: [], binding: 'any', created_by: 'tests', last_used_at: null },
    ]);
    expect(JSON.stringify(items)).not.toContain(VALUE);
  });

  test.each([
    ['neither hosts nor any', { any: false }, 'required'],
    ['both hosts and any', { hosts: ['api.example'], any: true }, 'contradiction'],
  ])('a secret with %s is refused', async (_what, bound, code) => {
    await expect(fixture.set('UNDECIDED', VALUE, bound)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ code, field: 'hosts' }] },
    });
    const { items } = await fixture.bus.call(vault.list, { workspace_id });
    expect(items.map(({ key }) => key)).not.toContain('UNDECIDED');
  });

  test('secrets from before bindings to origins still open, and those bound to nothing are named', async () => {
    await fixture.set('OLD_FREE', VALUE);
    await fixture.set('OLD_HOST', VALUE, { hosts: ['api.example'] });
    await fixture.set('CHOSEN', VALUE, { any: true });
    await fixture.query(`UPDATE vault.secrets SET binding = NULL WHERE key LIKE 'OLD_%'`);
    const keys = ['OLD_FREE', 'OLD_HOST', 'CHOSEN', 'NOT_THERE'];
    const { items } = await fixture.bus.call(vault.list, { workspace_id });
    expect(items.filter(({ key }) => keys.includes(key))).toMatchObject([
      { key: 'CHOSEN', binding: 'any' },
      { key: 'OLD_FREE', binding: 'unbound' },
      { key: 'OLD_HOST', binding: 'host', hosts: ['api.example'] },
    ]);
    expect(await fixture.bus.call(vault.unbound, { workspace_id, keys })).toEqual({ keys: ['OLD_FREE'] });
    const elsewhere = await fixture.bus.call(vault.unbound, { workspace_id: newId(), keys });
    expect(elsewhere).toEqual({ keys: [] });
    const granted = keys.slice(0, 3);
    const grant = { workspace_id, run_id: newId(), keys: granted };
    expect(await fixture.bus.call(vault.grant, grant)).toEqual({ unbound: ['OLD_FREE'] });
    const { opened } = await fixture.open(await fixture.delivery(granted), granted);
    expect(opened).toMatchObject([
      { key: 'OLD_FREE', hosts: [], binding: 'unbound' },
      { key: 'OLD_HOST', hosts: ['api.example'], binding: 'host' },
      { key: 'CHOSEN', hosts: [], binding: 'any' },
    ]);
    await fixture.set('OLD_FREE', VALUE, { hosts: ['http://127.0.0.1:8080'] });
    expect(await fixture.bus.call(vault.unbound, { workspace_id, keys })).toEqual({ keys: [] });
  });

  test('a replaced value of a secret is deleted', async () => {
    await fixture.set('REPLACED', VALUE);
    const ciphertexts = () =>
      fixture.query(`SELECT encode(ciphertext, 'hex') AS hex FROM vault.secrets WHERE key = 'REPLACED'`);
    const [before] = await ciphertexts();
    await fixture.set('REPLACED', 'another value');
    const after = await ciphertexts();
    expect(after).toHaveLength(1);
    expect(after[0]?.hex).not.toBe(before?.hex);
  });

  test('concurrent writers of a secret get versions of their own', async () => {
    const versions = await Promise.all(
      Array.from({ length: 10 }, (_, n) => fixture.set('RACED', `${VALUE}${n}`)),
    );
    expect(versions.map(({ version }) => version).sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test('every secret of a burst that has to wait for the database is set', async () => {
    // Every writer that wraps a key waits for this lock: longer than the default timeout of a database client.
    const held = fixture.query('SELECT pg_advisory_lock(7229421), pg_sleep(3), pg_advisory_unlock(7229421)');
    const burst = Array.from({ length: 20 }, (_, n) => fixture.set(`BURST_${n}`, VALUE));
    const set = await Promise.all(burst);
    await held;
    expect(set.every(({ created }) => created)).toBe(true);
  });

  test('another workspace cannot access a secret', async () => {
    await fixture.set('PRIVATE', VALUE);
    const stranger = newId();
    expect((await fixture.bus.call(vault.list, { workspace_id: stranger })).items).toEqual([]);
    const removal = fixture.bus.call(vault.remove, {
      workspace_id: stranger,
      key: 'PRIVATE',
      actor: 'tests',
    });
    await expect(removal).rejects.toMatchObject({ code: 'not_found' });
  });

  test('no value is in clear in the database or the log', async () => {
    await fixture.set('BURIED', VALUE);
    const rows = await fixture.query(`SELECT s::text, encode(ciphertext, 'escape') FROM vault.secrets s`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(VALUE);
    expect(fixture.logged.join('')).not.toContain(VALUE);
  });
});

describe('the audit trail', () => {
  const audit = (request: Partial<In<typeof vault.audit>> = {}) =>
    fixture.bus.call(vault.audit, { workspace_id, limit: 50, ...request });

  test('the audit trail shows who set, opened and deleted a secret, when and for which attempt, and no value', async () => {
    await fixture.set('WATCHED', VALUE, { actor: 'ada' });
    const delivery = await fixture.delivery(['WATCHED'], { delivery: 3 });
    await fixture.open(delivery, ['WATCHED']);
    await fixture.bus.call(vault.remove, { workspace_id, key: 'WATCHED', actor: 'bob' });
    const { items } = await audit({ key: 'WATCHED' });
    const { run_id, attempt_id } = delivery;
    const noAttempt = { run_id: null, attempt_id: null, delivery: null };
    expect(items).toMatchObject([
      { action: 'delete', actor: 'bob', version: null, ...noAttempt },
      { action: 'open', actor: 'sandbox-executor', version: 1, run_id, attempt_id, delivery: 3 },
      { action: 'set', actor: 'ada', version: 1, ...noAttempt },
    ]);
    expect(items.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 60_000)).toBe(true);
    expect(JSON.stringify(items)).not.toContain(VALUE);
  });

  test('the audit trail is paged through all entries without gap or repeat', async () => {
    for (let n = 0; n < 5; n++) await fixture.set('PAGED', `${VALUE}${n}`);
    const versions: (number | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await audit({ key: 'PAGED', limit: 2, ...(cursor !== undefined && { cursor }) });
      versions.push(...page.items.map(({ version }) => version));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(versions).toEqual([5, 4, 3, 2, 1]);
  });

  test('the audit trail shows a workspace nothing of another workspace', async () => {
    expect(await audit({ workspace_id: newId() })).toEqual({ items: [], next_cursor: null });
  });

  test('the audit trail drops entries that are older than its retention', async () => {
    await fixture.set('AGED', VALUE);
    await fixture.set('AGED', `${VALUE}2`);
    await fixture.query(
      `UPDATE vault.audit_entries SET at = now() - interval '31 days' WHERE key = 'AGED' AND version = 1`,
    );
    // A stop waits for the work that a start began.
    await (await fixture.start({ ...keys, VAULT_AUDIT_DAYS: '30' })).close();
    expect((await audit({ key: 'AGED' })).items.map(({ version }) => version)).toEqual([2]);
  });
});

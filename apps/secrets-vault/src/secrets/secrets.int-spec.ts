import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { Bus, BusConnection } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { vault } from '@agentclash/contracts';
import { newId, type RunningService, SealedBoxKey } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSecretsVault, vaultConfig } from '../index.js';

const VALUE = 'tok-5f2c/ä+9=';
const workspace_id = newId();
const actor = 'tests';
const masterKey = randomBytes(32).toString('base64');
const database = await freshDatabase();
const nats = await freshNats();

describe('the vault on real Postgres and NATS', () => {
  let environment: Record<string, string>;
  let service: RunningService;
  let connection: BusConnection;
  let bus: Bus;
  const logged: string[] = [];
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });

  beforeAll(async () => {
    environment = {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      VAULT_KEYS: JSON.stringify({ k1: masterKey }),
      VAULT_ACTIVE_KEY: 'k1',
    };
    service = await startSecretsVault(vaultConfig(environment), { logTo });
    connection = await BusConnection.open({ servers: [nats.url], name: 'gateway' });
    bus = new Bus(connection);
  });

  afterAll(async () => {
    await connection.close();
    await service.close();
  });

  const set = (key: string, value: string, hosts: string[] = []) =>
    bus.call(vault.set, {
      workspace_id,
      key,
      value_base64: Buffer.from(value).toString('base64'),
      hosts,
      actor,
    });

  async function open(keys: string[], run_id: string) {
    const box = await SealedBoxKey.create();
    const ask = { workspace_id, run_id, attempt_id: newId(), delivery: 1, keys, recipient: box.publicKey };
    const sealed = await bus.call(vault.resolve, ask);
    const plain = await box.open(sealed, canonicalJson(ask));
    return { ask, sealed, values: JSON.parse(plain.toString()) as { key: string; value_base64: string }[] };
  }

  test('lists metadata and never a value', async () => {
    expect(await set('LISTED', VALUE, ['*.example.com'])).toEqual({ version: 1, created: true });
    expect(await set('LISTED', `${VALUE}2`)).toEqual({ version: 2, created: false });
    const { items } = await bus.call(vault.list, { workspace_id });
    expect(items).toMatchObject([
      { key: 'LISTED', version: 2, hosts: [], created_by: 'tests', last_used_at: null },
    ]);
    expect(JSON.stringify(items)).not.toContain(VALUE);
  });

  test('opens a granted secret, sealed to the asking key and bound to the request', async () => {
    const run = newId();
    await set('GRANTED', VALUE);
    await bus.call(vault.grant, { workspace_id, run_id: run, keys: ['GRANTED'] });
    const { sealed, values, ask } = await open(['GRANTED'], run);
    expect(values.map((entry) => Buffer.from(entry.value_base64, 'base64').toString())).toEqual([VALUE]);
    expect(Buffer.from(sealed.ciphertext_base64, 'base64').includes(VALUE)).toBe(false);
    const stranger = await SealedBoxKey.create();
    await expect(stranger.open(sealed, canonicalJson(ask))).rejects.toThrow();
  });

  test('refuses a run that was not granted the secret', async () => {
    await set('UNGRANTED', VALUE);
    await expect(open(['UNGRANTED'], newId())).rejects.toMatchObject({ code: 'secret_not_granted' });
  });

  test('refuses a grant of absent and of short secrets, naming them sorted', async () => {
    await set('SHORT', 'abc');
    const grant = (keys: string[]) => bus.call(vault.grant, { workspace_id, run_id: newId(), keys });
    await expect(grant(['ZZ', 'AA'])).rejects.toMatchObject({
      code: 'missing_secret',
      details: { keys: ['AA', 'ZZ'] },
    });
    await expect(grant(['SHORT'])).rejects.toMatchObject({
      code: 'secret_too_short',
      details: { keys: ['SHORT'] },
    });
  });

  test('gives concurrent writers versions of their own', async () => {
    const versions = await Promise.all(Array.from({ length: 10 }, (_, n) => set('RACED', `${VALUE}${n}`)));
    expect(versions.map(({ version }) => version).sort((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });

  test('keeps another workspace out', async () => {
    await set('PRIVATE', VALUE);
    const stranger = newId();
    expect((await bus.call(vault.list, { workspace_id: stranger })).items).toEqual([]);
    const removal = bus.call(vault.remove, { workspace_id: stranger, key: 'PRIVATE', actor });
    await expect(removal).rejects.toMatchObject({ code: 'not_found' });
  });

  test('leaves no value in clear in the database or the log', async () => {
    await set('BURIED', VALUE);
    const rows = await database.query(`SELECT s::text, encode(ciphertext, 'escape') FROM vault.secrets s`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(VALUE);
    expect(logged.join('')).not.toContain(VALUE);
  });

  test('does not start with a key ring that cannot open what is stored', async () => {
    await set('LOCKED', VALUE);
    const other = { ...environment, VAULT_KEYS: JSON.stringify({ k2: masterKey }), VAULT_ACTIVE_KEY: 'k2' };
    await expect(startSecretsVault(vaultConfig(other), { logTo })).rejects.toThrow(/master keys k1/);
  });
});

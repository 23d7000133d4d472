import { createHmac } from 'node:crypto';
import { vault, vaultKeys, webhookKeys } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKey, VaultFixture } from '../testing/vault-fixture.js';

const fixture = await VaultFixture.open();
const { workspaceId: workspace_id } = fixture;
const SECRET = Buffer.from('twenty-four bytes and more');
const CONTENT = 'msg_1.1700000000.{"type":"run.completed"}';

beforeAll(async () => {
  await fixture.start({ VAULT_KEYS: JSON.stringify({ k1: newKey() }), VAULT_ACTIVE_KEY: 'k1' });
});
afterAll(() => fixture.close());

describe('the secrets that sign deliveries of webhooks', () => {
  const webhook_id = newId();
  const of = { workspace_id, webhook_id };
  const set = (value: Buffer, id = webhook_id) =>
    fixture.bus.call(webhookKeys.set, {
      workspace_id,
      webhook_id: id,
      value_base64: value.toString('base64'),
      actor: 'tests',
    });
  const sign = (at = of) => fixture.bus.call(webhookKeys.sign, { ...at, content: CONTENT });
  const signatureBy = (secret: Buffer) => createHmac('sha256', secret).update(CONTENT).digest('base64');

  test('the vault signs with the secret of the webhook, and with its next one once that is set', async () => {
    await set(SECRET);
    expect(await sign()).toEqual({ signature_base64: signatureBy(SECRET) });
    const next = Buffer.from('another secret of many bytes');
    await set(next);
    expect(await sign()).toEqual({ signature_base64: signatureBy(next) });
  });

  test('a signing secret is signed with in its workspace alone, and not after its removal', async () => {
    await set(SECRET);
    await expect(sign({ workspace_id: newId(), webhook_id })).rejects.toMatchObject({
      code: 'missing_secret',
    });
    await expect(sign({ workspace_id, webhook_id: newId() })).rejects.toMatchObject({
      code: 'missing_secret',
    });
    const removed = newId();
    await set(SECRET, removed);
    await fixture.bus.call(webhookKeys.remove, { workspace_id, webhook_id: removed, actor: 'tests' });
    await expect(sign({ workspace_id, webhook_id: removed })).rejects.toMatchObject({
      code: 'missing_secret',
    });
  });

  test('no request about secrets of users lists, grants, opens or removes a signing secret', async () => {
    await set(SECRET);
    const key = `webhook/${webhook_id}`;
    expect(JSON.stringify(await fixture.bus.call(vault.list, { workspace_id }))).not.toContain(webhook_id);
    const grant = fixture.bus.call(vault.grant, { workspace_id, run_id: newId(), keys: [key] });
    await expect(grant).rejects.toMatchObject({ code: 'missing_secret' });
    const removal = fixture.bus.call(vault.remove, { workspace_id, key, actor: 'tests' });
    await expect(removal).rejects.toMatchObject({ code: 'not_found' });
    expect(await sign()).toEqual({ signature_base64: signatureBy(SECRET) });
  });

  test('a signing secret is encrypted under a master key, which counts it, and is in no log', async () => {
    await set(SECRET);
    const [row] = await fixture.query(
      `SELECT encode(ciphertext, 'escape') AS text FROM vault.secrets WHERE key = 'webhook/${webhook_id}'`,
    );
    expect(row?.text).not.toContain(SECRET.toString());
    const { keys } = await fixture.bus.call(vaultKeys.status, {});
    expect(keys[0]?.secrets).toBeGreaterThan(0);
    expect(fixture.logged.join('')).not.toContain(SECRET.toString());
  });

  test('a secret that is too short is refused', async () => {
    await expect(set(Buffer.alloc(23, 1))).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

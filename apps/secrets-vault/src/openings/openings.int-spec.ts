import { canonicalJson } from '@agentclash/challengepack';
import { vault } from '@agentclash/contracts';
import { newId, SealedBoxKey } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKey, VaultWorld } from '../testing/vault-world.js';

const VALUE = 'tok-5f2c/ä+9=';
const world = await VaultWorld.open();
const { workspaceId: workspace_id } = world;
const notGranted = { code: 'secret_not_granted' };

beforeAll(async () => {
  await world.start({ VAULT_KEYS: JSON.stringify({ k1: newKey() }), VAULT_ACTIVE_KEY: 'k1' });
});
afterAll(() => world.close());

describe('a secret opens', () => {
  test('sealed to the asking key and bound to the request', async () => {
    await world.set('GRANTED', VALUE, { hosts: ['api.example'] });
    const delivery = await world.delivery(['GRANTED']);
    const { sealed, opened, ask } = await world.open(delivery, ['GRANTED']);
    expect(opened).toEqual([
      {
        key: 'GRANTED',
        value_base64: Buffer.from(VALUE).toString('base64'),
        hosts: ['api.example'],
        binding: 'origin',
      },
    ]);
    expect(Buffer.from(sealed.ciphertext_base64, 'base64').includes(VALUE)).toBe(false);
    const stranger = await SealedBoxKey.create();
    await expect(stranger.open(sealed, canonicalJson(ask))).rejects.toThrow();
  });

  test('and notes its use', async () => {
    await world.set('USED', VALUE);
    await world.open(await world.delivery(['USED']), ['USED']);
    const { items } = await world.bus.call(vault.list, { workspace_id });
    expect(items.find(({ key }) => key === 'USED')?.last_used_at).not.toBeNull();
  });

  test('beside a rotation that wraps the same secrets anew, which waits for nothing that it holds', async () => {
    // Neither the order of names nor that on disk is the order of ids.
    for (const key of ['Z_FIRST', 'A_SECOND', 'Z_FIRST']) await world.set(key, VALUE);
    const delivery = await world.delivery(['Z_FIRST', 'A_SECOND']);
    const { opened } = await world.transaction(async (rotation) => {
      const wrap = (key: string) =>
        rotation.query('UPDATE vault.secrets SET wrapped_key = wrapped_key WHERE key = $1', [key]);
      await wrap('Z_FIRST');
      const opened = world.values(delivery, ['A_SECOND', 'Z_FIRST']);
      await waitFor(async () => {
        const waiting = await world.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return waiting.length > 0;
      });
      await wrap('A_SECOND');
      return { opened };
    });
    expect(await opened).toEqual([VALUE, VALUE]);
  });

  test("to every attempt of the run, and a run agent's own to its attempts alone", async () => {
    await Promise.all(['SHARED', 'MINE'].map((key) => world.set(key, VALUE)));
    const mine = await world.delivery(['SHARED']);
    const { run_id, run_agent_id } = mine;
    const theirs = await world.delivery([], { run_id });
    const agents = [{ run_agent_id, keys: ['MINE'] }];
    await world.bus.call(vault.grant, { workspace_id, run_id, keys: [], agents });
    expect(await world.values(mine, ['SHARED', 'MINE'])).toEqual([VALUE, VALUE]);
    expect(await world.values(theirs, ['SHARED'])).toEqual([VALUE]);
    await expect(world.values(theirs, ['MINE'])).rejects.toMatchObject(notGranted);
  });

  test("to judges at their own door, and no agent's secret to them", async () => {
    await Promise.all(['JUDGE', 'AGENT'].map((key) => world.set(key, VALUE)));
    const judged = await world.delivery(['AGENT'], { work: 'judging' });
    const { run_id } = judged;
    await world.bus.call(vault.grant, { workspace_id, run_id, keys: [], judges: ['JUDGE'] });
    const running = await world.delivery([], { run_id });
    expect(await world.values(judged, ['JUDGE'], vault.resolveForJudges)).toEqual([VALUE]);
    await expect(world.values(judged, ['AGENT'], vault.resolveForJudges)).rejects.toMatchObject(notGranted);
    await expect(world.values(running, ['JUDGE'])).rejects.toMatchObject(notGranted);
    await expect(world.values(judged, ['JUDGE'])).rejects.toMatchObject(notGranted);
  });
});

describe('no secret opens', () => {
  test('to a run that was not granted it, and none of those asked with it', async () => {
    await Promise.all(['KNOWN', 'UNGRANTED'].map((key) => world.set(key, VALUE)));
    const refusal = world.open(await world.delivery(['KNOWN']), ['KNOWN', 'UNGRANTED']);
    await expect(refusal).rejects.toMatchObject({ ...notGranted, details: { keys: ['UNGRANTED'] } });
  });

  test.each([
    ['an attempt that is over', (): object => ({ work: 'over' }), {}],
    ['an attempt that nobody knows', () => ({}), { attempt_id: newId() }],
    ['another delivery of the attempt', () => ({}), { delivery: 2 }],
    ['an attempt of another run', () => ({}), { run_id: newId() }],
    ['an attempt of another workspace', () => ({}), { workspace_id: newId() }],
  ])('to %s', async (_what, made, asked) => {
    await world.set('LIVE_ONLY', VALUE);
    const delivery = await world.delivery(['LIVE_ONLY'], made());
    await expect(world.open({ ...delivery, ...asked }, ['LIVE_ONLY'])).rejects.toMatchObject(notGranted);
    expect(world.logged.join('')).toContain('opening refused');
  });

  test('to a live attempt that names another run, whose secrets it would like', async () => {
    await Promise.all(['OURS', 'THEIRS'].map((key) => world.set(key, VALUE)));
    const ours = await world.delivery(['OURS']);
    const theirs = await world.delivery(['THEIRS']);
    const asked = world.open({ ...ours, run_id: theirs.run_id }, ['THEIRS']);
    await expect(asked).rejects.toMatchObject(notGranted);
  });

  test('that is absent or too short: the run learns it before it exists, by name and sorted', async () => {
    await world.set('SHORT', 'abc');
    const grant = (keys: string[]) => world.bus.call(vault.grant, { workspace_id, run_id: newId(), keys });
    await expect(grant(['ZZ', 'AA'])).rejects.toMatchObject({
      code: 'missing_secret',
      details: { keys: ['AA', 'ZZ'] },
    });
    await expect(grant(['SHORT'])).rejects.toMatchObject({
      code: 'secret_too_short',
      details: { keys: ['SHORT'] },
    });
  });
});

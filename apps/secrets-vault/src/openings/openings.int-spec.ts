import { canonicalJson } from '@agentclash/challengepack';
import { vault } from '@agentclash/contracts';
import { newId, SealedBoxKey } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newKey, VaultFixture } from '../testing/vault-fixture.js';

const VALUE = 'tok-5f2c/ä+9=';
const fixture = await VaultFixture.open();
const { workspaceId: workspace_id } = fixture;
const notGranted = { code: 'secret_not_granted' };

beforeAll(async () => {
  await fixture.start({ VAULT_KEYS: JSON.stringify({ k1: newKey() }), VAULT_ACTIVE_KEY: 'k1' });
});
afterAll(() => fixture.close());

describe('a secret opens', () => {
  test('a secret opens sealed to the key of the requester and bound to the request', async () => {
    await fixture.set('GRANTED', VALUE, { hosts: ['api.example'] });
    const delivery = await fixture.delivery(['GRANTED']);
    const { sealed, opened, request } = await fixture.open(delivery, ['GRANTED']);
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
    await expect(stranger.open(sealed, canonicalJson(request))).rejects.toThrow();
  });

  test('an opening of a secret is recorded', async () => {
    await fixture.set('USED', VALUE);
    await fixture.open(await fixture.delivery(['USED']), ['USED']);
    const { items } = await fixture.bus.call(vault.list, { workspace_id });
    expect(items.find(({ key }) => key === 'USED')?.last_used_at).not.toBeNull();
  });

  test('a secret opens while a rotation rewraps the same secrets, without a lock that the rotation waits for', async () => {
    // Neither the order of names nor that on disk is the order of ids.
    for (const key of ['Z_FIRST', 'A_SECOND', 'Z_FIRST']) await fixture.set(key, VALUE);
    const delivery = await fixture.delivery(['Z_FIRST', 'A_SECOND']);
    const { opened } = await fixture.transaction(async (rotation) => {
      const wrap = (key: string) =>
        rotation.query('UPDATE vault.secrets SET wrapped_key = wrapped_key WHERE key = $1', [key]);
      await wrap('Z_FIRST');
      const opened = fixture.values(delivery, ['A_SECOND', 'Z_FIRST']);
      await waitFor(async () => {
        const waiting = await fixture.query(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return waiting.length > 0;
      });
      await wrap('A_SECOND');
      return { opened };
    });
    expect(await opened).toEqual([VALUE, VALUE]);
  });

  test('a secret of the run opens to all its attempts, and one of a run agent to its own attempts alone', async () => {
    await Promise.all(['SHARED', 'MINE'].map((key) => fixture.set(key, VALUE)));
    const mine = await fixture.delivery(['SHARED']);
    const { run_id, run_agent_id } = mine;
    const theirs = await fixture.delivery([], { run_id });
    const agents = [{ run_agent_id, keys: ['MINE'] }];
    await fixture.bus.call(vault.grant, { workspace_id, run_id, keys: [], agents });
    expect(await fixture.values(mine, ['SHARED', 'MINE'])).toEqual([VALUE, VALUE]);
    expect(await fixture.values(theirs, ['SHARED'])).toEqual([VALUE]);
    await expect(fixture.values(theirs, ['MINE'])).rejects.toMatchObject(notGranted);
  });

  test('a secret of judges opens through their own message, and no secret of an agent does', async () => {
    await Promise.all(['JUDGE', 'AGENT'].map((key) => fixture.set(key, VALUE)));
    const judged = await fixture.delivery(['AGENT'], { work: 'judging' });
    const { run_id } = judged;
    await fixture.bus.call(vault.grant, { workspace_id, run_id, keys: [], judges: ['JUDGE'] });
    const running = await fixture.delivery([], { run_id });
    expect(await fixture.values(judged, ['JUDGE'], vault.resolveForJudges)).toEqual([VALUE]);
    await expect(fixture.values(judged, ['AGENT'], vault.resolveForJudges)).rejects.toMatchObject(notGranted);
    await expect(fixture.values(running, ['JUDGE'])).rejects.toMatchObject(notGranted);
    await expect(fixture.values(judged, ['JUDGE'])).rejects.toMatchObject(notGranted);
  });
});

describe('no secret opens', () => {
  test('a secret that was not granted does not open, nor does any other of the request', async () => {
    await Promise.all(['KNOWN', 'UNGRANTED'].map((key) => fixture.set(key, VALUE)));
    const opening = fixture.open(await fixture.delivery(['KNOWN']), ['KNOWN', 'UNGRANTED']);
    await expect(opening).rejects.toMatchObject({ ...notGranted, details: { keys: ['UNGRANTED'] } });
  });

  test.each([
    ['an attempt that is over', (): object => ({ work: 'over' }), {}],
    ['an unknown attempt', () => ({}), { attempt_id: newId() }],
    ['another delivery of the attempt', () => ({}), { delivery: 2 }],
    ['an attempt of another run', () => ({}), { run_id: newId() }],
    ['an attempt of another workspace', () => ({}), { workspace_id: newId() }],
  ])('a secret does not open to %s', async (_what, made, opening) => {
    await fixture.set('LIVE_ONLY', VALUE);
    const delivery = await fixture.delivery(['LIVE_ONLY'], made());
    await expect(fixture.open({ ...delivery, ...opening }, ['LIVE_ONLY'])).rejects.toMatchObject(notGranted);
    expect(fixture.logged.join('')).toContain('secret opening rejected');
  });

  test('a secret of another run does not open to a live attempt that names that run', async () => {
    await Promise.all(['OURS', 'THEIRS'].map((key) => fixture.set(key, VALUE)));
    const ours = await fixture.delivery(['OURS']);
    const theirs = await fixture.delivery(['THEIRS']);
    const opening = fixture.open({ ...ours, run_id: theirs.run_id }, ['THEIRS']);
    await expect(opening).rejects.toMatchObject(notGranted);
  });

  test('an absent or short secret is reported before the run is created, by name and sorted', async () => {
    await fixture.set('SHORT', 'abc');
    const grant = (keys: string[]) => fixture.bus.call(vault.grant, { workspace_id, run_id: newId(), keys });
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

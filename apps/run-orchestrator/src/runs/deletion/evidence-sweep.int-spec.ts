import { runs, type SweepStep, storage } from '@agentclash/contracts';
import { BLOB_PREFIXES, newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { StoredRuns } from '../../testing/stored-runs.js';
import { EvidenceSweep } from './evidence-sweep.service.js';

const fixture = await openOrchestrator();
const stored = new StoredRuns(fixture);
const { fakes, database, workspaceId: workspace_id } = fixture;

const remove = (run_id: string) => fixture.bus.call(runs.remove, { workspace_id, run_id, actor: 'tests' });
const deletionsDone = () =>
  waitFor(async () => (await database.query('SELECT run_id FROM runs.run_deletions')).length === 0, {
    timeoutMs: 20_000,
  });
const blobsNow = async () =>
  (await Promise.all(BLOB_PREFIXES.map((prefix) => stored.evidence.list(prefix))))
    .flat()
    .map(({ sha256 }) => sha256)
    .sort();
const referencesNow = async () =>
  (
    await database.query<{ sha256: string }>(
      'SELECT DISTINCT sha256 FROM runs.evidence_references ORDER BY 1',
    )
  ).map(({ sha256 }) => sha256);

async function sweep(dry_run = false): Promise<Omit<SweepStep, 'next'>> {
  const { next, ...counts } = await fixture.bus.call(storage.sweep, { dry_run, from: 0 });
  expect(next).toBeNull();
  return counts;
}

/** A sweep a day later: nothing is on its way any more. */
async function sweepOld() {
  await deletionsDone();
  for (const sha256 of await blobsNow()) await stored.age(sha256);
  return await sweep();
}

describe('sweeping evidence', () => {
  test('a sweep removes old bytes that nothing refers to, and counts them; a dry run only counts', async () => {
    const [kept, old] = [await stored.store(newId()), await stored.store('without a reference')];
    const fresh = await stored.store(newId(), { isFresh: true });
    await stored.add([kept]);
    const expected = {
      ...{ scanned: 3, referenced: 1, young: 1, removed: 1, removed_bytes: old.bytes, missing: 0 },
      missing_sha256: [],
    };
    expect(await sweep(true)).toEqual(expected);
    expect(await stored.evidence.has(old.sha256)).toBe(true);
    expect(await sweep()).toEqual(expected);
    expect(await stored.evidence.has(old.sha256)).toBe(false);
    expect(await stored.evidence.has(kept.sha256)).toBe(true);
    expect(await stored.evidence.has(fresh.sha256)).toBe(true);
    expect(await sweep()).toMatchObject({ scanned: 2, removed: 0 });
  });

  test('a periodic sweep removes nothing while the database has no reference at all', async () => {
    const sweeps = fixture.get(EvidenceSweep);
    const all = async () => {
      await database.query('DELETE FROM runs.storage_sweeps');
      return await sweeps.all(new AbortController().signal);
    };
    const parked = await database.query(`DELETE FROM runs.evidence_references RETURNING *`);
    const old = await stored.store(newId());
    expect(await all()).toMatchObject({ referenced: 0 });
    expect(await stored.evidence.has(old.sha256)).toBe(true);
    for (const { run_id, sha256, bytes, workspace_id: owner } of parked) {
      await database.query('INSERT INTO runs.evidence_references VALUES ($1, $2, $3, $4)', [
        run_id,
        sha256,
        bytes,
        owner,
      ]);
    }
    expect(await all()).toMatchObject({ removed: 1 });
    expect(await stored.evidence.has(old.sha256)).toBe(false);
    // Another instance has swept a moment ago.
    expect(await sweeps.all(new AbortController().signal)).toBeUndefined();
  });

  test('a sweep names references without bytes, and keeps them', async () => {
    const lost = await stored.store(newId());
    const run_id = await stored.add([lost]);
    await stored.evidence.remove(lost.sha256);
    expect(await sweep()).toMatchObject({ missing: 1, missing_sha256: [lost.sha256] });
    expect(await referencesNow()).toContain(lost.sha256);
    await remove(run_id);
    await deletionsDone();
    expect(await sweep()).toMatchObject({ missing: 0, missing_sha256: [] });
  });

  test('a sweep continues after its last completed step', async () => {
    await stored.store(newId());
    const whole = await sweep(true);
    const rest = await fixture.bus.call(storage.sweep, { dry_run: true, from: 128 });
    const first = await blobsNow();
    expect(rest.scanned).toBe(first.filter((sha256) => sha256 >= '80').length);
    expect(whole.scanned).toBe(first.length);
  });
});

type Step =
  | { kind: 'create'; blobs: number[] }
  | { kind: 'delete' | 'hold' | 'release'; run: number }
  | { kind: 'upload'; blob: number }
  | { kind: 'sweep' };

const blob = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), blobs: fc.array(blob, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constantFrom('delete' as const, 'hold' as const, 'release' as const),
    run: fc.nat(7),
  }),
  fc.record({ kind: fc.constant('upload' as const), blob }),
  fc.constant({ kind: 'sweep' as const }),
);

test('after any sequence of runs, deletions, holds, uploads and sweeps the stored blobs are those referred to', async () => {
  const before = await referencesNow();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const salt = newId();
      const runsNow: { id: string; blobs: number[] }[] = [];
      const put = (index: number) => stored.store(`${salt} ${index}`, { isFresh: true });
      for (const each of steps) {
        if (each.kind === 'sweep') await sweepOld();
        else if (each.kind === 'upload') await put(each.blob);
        else if (each.kind === 'create') {
          const bytes = [];
          for (const index of each.blobs) bytes.push(await put(index));
          runsNow.push({ id: await stored.add(bytes), blobs: each.blobs });
        } else {
          const at = each.run % Math.max(runsNow.length, 1);
          const run = runsNow[at];
          if (run === undefined) continue;
          if (each.kind === 'hold') fakes.baselines.add(run.id);
          else if (each.kind === 'release') fakes.baselines.delete(run.id);
          else if (fakes.baselines.has(run.id)) {
            await expect(remove(run.id)).rejects.toMatchObject({ code: 'conflict' });
          } else {
            await remove(run.id);
            runsNow.splice(at, 1);
          }
        }
      }
      expect((await sweepOld()).missing).toBe(0);
      const references = await referencesNow();
      expect(await blobsNow()).toEqual(references);
      const wanted = await Promise.all([...new Set(runsNow.flatMap(({ blobs }) => blobs))].map(put));
      for (const { sha256 } of wanted) expect(references).toContain(sha256);
      for (const { id } of runsNow) {
        fakes.baselines.delete(id);
        await remove(id);
      }
      await sweepOld();
      expect(await blobsNow()).toEqual(before);
    }),
    { numRuns: 8, interruptAfterTimeLimit: 45_000 },
  );
});

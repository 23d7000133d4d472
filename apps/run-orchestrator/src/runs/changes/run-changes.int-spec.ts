import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';
import { RunChanges } from './run-changes.service.js';

const fixture = await openOrchestrator();
const { fakes } = fixture;

describe('works that join one change of a run', () => {
  const pack = fakes.add(publish(wordPack(1)));
  let deployments: Awaited<ReturnType<typeof fixture.scripted>>[];

  beforeAll(async () => {
    deployments = [await fixture.scripted('agent')];
  });

  /** Joins one work for each entry; those that are true fail, late. Returns what became of each. */
  async function join(run_id: string, failing: readonly boolean[]) {
    const changes = fixture.get(RunChanges);
    return await Promise.allSettled(
      failing.map((fails, index) =>
        changes.join(run_id, async (change, tx) => {
          change.record({ type: 'run.state_changed', payload: { index } });
          change.unscored += 1;
          // A statement that fails leaves the transaction good for nothing.
          if (fails) await tx.$queryRaw`SELECT 1 / 0`;
          return index;
        }),
      ),
    );
  }

  const written = async (run_id: string) =>
    (await fixture.history(run_id)).flatMap(({ payload }) => ('index' in payload ? [payload.index] : []));

  test('a failing change does not affect the others, which are applied once and in their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }), async (failing) => {
        const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
        const results = await join(run_id, failing);
        expect(results.map(({ status }) => status === 'rejected')).toEqual(failing);
        const good = failing.flatMap((fails, index) => (fails ? [] : index));
        expect(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))).toEqual(
          good,
        );
        expect(await written(run_id)).toEqual(good);
        const history = await fixture.history(run_id);
        expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
        const [run] = await fixture.database.query('SELECT unscored FROM runs.runs WHERE id = $1', [run_id]);
        expect(run).toEqual({ unscored: 1 + good.length });
      }),
      { numRuns: 5 },
    );
  });

  test('joined changes share a transaction', async () => {
    const { id: run_id } = await fixture.createRun(pack.version.id, deployments);
    const changes = fixture.get(RunChanges);
    const ids = await Promise.all(
      Array.from({ length: 20 }, () =>
        changes.join(run_id, async (_change, tx) => {
          const [row] = await tx.$queryRaw<{ id: string }[]>`SELECT pg_current_xact_id()::text AS id`;
          return row?.id;
        }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
  });

  test('joined changes all fail when there is no such run', async () => {
    const nowhere = '00000000-0000-7000-8000-000000000000';
    const results = await join(nowhere, [false, false]);
    expect(results).toMatchObject([{ reason: { code: 'not_found' } }, { reason: { code: 'not_found' } }]);
  });
});

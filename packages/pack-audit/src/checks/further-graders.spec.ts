import { describe, expect, test } from '@jest/globals';
import { CHEATS } from '../cheats/cheats.js';
import { readNaive } from '../testing/naive-document.js';
import { FULL_AUDIT } from './context.js';
import { furtherTries } from './further-graders.js';

/** The trials on the cases after the first, where every cheat applies. */
async function triesAfterFirst(command: string, { cases = 3, cheatTrials = 10_000 } = {}) {
  const pack = await readNaive('further', { instructions: 'Write solution.py.', command, cases });
  const [each, ...others] = pack.cases;
  if (!each) throw new Error('the pack has no case');
  const context = { pack, seed: 'seed', sizes: { ...FULL_AUDIT, cheatTrials } };
  return furtherTries(context, { each, cheats: CHEATS, applied: new Set(CHEATS) }, others);
}

async function keysAfterFirst(command: string): Promise<ReadonlySet<string>> {
  return new Set((await triesAfterFirst(command)).map(({ cheat }) => cheat.key));
}

describe('the cheats that are tried on further graders', () => {
  test('Where the test commands differ, they are all.', async () => {
    expect(await triesAfterFirst('python3 /grader/check.py {{number}}')).toHaveLength(2 * CHEATS.length);
  });

  test('Where the test command is the same, those of commands are left out.', async () => {
    const keys = await keysAfterFirst('python3 /grader/check.py');
    for (const key of ['exit_on_import', 'equal_object', 'all_numbers']) expect(keys).toContain(key);
    for (const key of ['conftest', 'profile_exits', 'memory_used_up', 'refused_by_signal']) {
      expect(keys).not.toContain(key);
    }
  });

  test('Where the grading harness runs the tests, those of their process are left out, too.', async () => {
    const keys = await keysAfterFirst('exec agentclash-grade unittest --tests /grader/tests');
    for (const key of ['equal_object', 'labelled_files', 'all_numbers']) expect(keys).toContain(key);
    for (const key of ['exit_on_import', 'report_left', 'builtins_patched', 'conftest']) {
      expect(keys).not.toContain(key);
    }
  });

  test('There are no more trials than the limit, on whole cases, which are drawn.', async () => {
    const options = { cases: 20, cheatTrials: 1_000 };
    const tries = await triesAfterFirst('python3 /grader/check.py {{number}}', options);
    const cases = [...Map.groupBy(tries, ({ each }) => each.case.case_key).values()];
    expect(tries.length + CHEATS.length).toBeLessThanOrEqual(1_000);
    expect(cases.length).toBe(Math.floor(1_000 / CHEATS.length) - 1);
    expect(cases.every((tried) => tried.length === CHEATS.length)).toBe(true);
  });
});

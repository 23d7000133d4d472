import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../../examples');
const CHEATS = path.join(EXAMPLES, 'deployments/cheats');
const cheats = readdirSync(CHEATS).map((file) => path.basename(file, '.py'));

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

/** The hidden files of the example pack. */
function hiddenFiles() {
  const { pack } = readPack(readFileSync(path.join(EXAMPLES, 'challenge-packs/cheats.yaml')));
  const [each] = pack?.input_sets[0]?.cases ?? [];
  if (!each?.expectations) throw new Error('the example has no case');
  return each.expectations.map(({ key, value = null }) => ({ key, value }));
}

/** Lets an agent of the example work and grades what it left as the example does. */
async function graded(agent: string) {
  const source = readFileSync(path.join(CHEATS, `${agent}.py`), 'utf8');
  const plan = attemptPlan({ kind: 'program', config: { command: ['python3', '-c', source] } });
  const attempt = await harness.run(plan);
  const grader = graderPlan(plan, {
    expectations: hiddenFiles(),
    code_executions: [
      {
        validator_key: 'tests',
        test_command: 'python3 -I /grader/harness.py add',
        report_path: '/tmp/report.xml',
        timeout_ms: 30_000,
      },
    ],
  });
  expect(await attempt.verify(grader)).toEqual({ status: 'verified' });
  const [run] = attempt.events.payloads('grader.verification.code_executed');
  return { exitCode: run?.exit_code, report: run?.report ?? '' };
}

/** Of what the report counts. */
function passedIn(report: string): number {
  const [tests = 0, failures = 0] = ['tests', 'failures'].map((name) =>
    Number(new RegExp(`${name}="(\\d+)"`).exec(report)?.[1] ?? 0),
  );
  return tests - failures;
}

describe('agents of the example', () => {
  test('an honest agent of the example passes every test', async () => {
    const { exitCode, report } = await graded('honest');
    expect({ exitCode, passed: passedIn(report) }).toEqual({ exitCode: 0, passed: 4 });
  });

  test.each(cheats.filter((cheat) => cheat !== 'honest'))(
    'a cheating agent of the example gets no point: %s',
    async (cheat) => {
      const { exitCode, report } = await graded(cheat);
      expect(exitCode).not.toBe(0);
      // Without a report nothing counts as passed: the run has failed.
      const isNothing = report === '' || passedIn(report) === 0;
      expect(`${isNothing}: ${report}`).toMatch(/^true/);
    },
  );
});

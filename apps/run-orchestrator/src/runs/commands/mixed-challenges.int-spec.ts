import type { AttemptPlan } from '@agentclash/attempt-plan';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes } = fixture;

const TASKS = ['alpha', 'beta', 'gamma'];

/** Three challenges with an instruction and a file each, and one case of each in one input set. */
function mixedPack() {
  const files = TASKS.map((name) => ({ name, id: newId() }));
  const challenges = files.map(
    ({ name, id }) => `  - key: ${name}
    title: Title ${name}
    category: words
    difficulty: easy
    instructions: 'Instructions ${name} for {{${name}}}.'
    assets: [{key: notes, path: ${name}.txt, artifact_id: ${id}}]
    artifact_refs: [{key: notes}]`,
  );
  const cases = TASKS.map(
    (name) =>
      `      - {challenge_key: ${name}, case_key: of-${name}, payload: {${name}: word}, expectations: [{key: word, kind: text, value: word}]}`,
  );
  const [head = ''] = wordPack(1, { slug: 'mixed' }).split('challenges:');
  const sets = `input_sets:\n  - key: all\n    name: All\n    cases:\n${cases.join('\n')}\n`;
  for (const { name, id } of files) {
    const stored = { sha256: id.replaceAll('-', '').repeat(2), bytes: 3, name, media_type: null };
    fakes.artifacts.set(id, { id, ...stored, created_at: new Date().toISOString(), created_by: 'tests' });
  }
  return fakes.add(publish(`${head}challenges:\n${challenges.join('\n')}\n${sets}`));
}

describe('a run over cases of several challenges', () => {
  test('a run over cases of three challenges has one ranking, and each attempt gets the instructions and files of its own challenge only', async () => {
    const { version, inputSets } = mixedPack();
    expect(inputSets[0]?.challenge_keys).toEqual(TASKS);
    const plans = new Map<string, AttemptPlan>();
    fakes.execute = async (job, bus) => {
      const plan = await executeAttempt(job, bus);
      if (plan) plans.set(plan.case_key, plan);
    };
    const run = await fixture.createRun(version.id, [await fixture.scripted('agent')]);
    await fixture.expectRunStatus(run.id, 'completed');
    expect(fakes.rankings.filter((id) => id === run.id)).toHaveLength(1);
    const attempts = await fixture.attempts(run.id);
    expect(attempts.map(({ case_key, challenge_key }) => [case_key, challenge_key])).toEqual(
      TASKS.map((name) => [`of-${name}`, name]),
    );
    for (const name of TASKS) {
      const plan = plans.get(`of-${name}`);
      expect(plan?.challenge).toEqual({
        title: `Title ${name}`,
        instructions: `Instructions ${name} for {{${name}}}.`,
      });
      expect(plan?.files.map(({ path }) => path)).toEqual([`${name}.txt`]);
      const text = JSON.stringify(plan);
      for (const other of TASKS.filter((task) => task !== name)) expect(text).not.toContain(other);
    }
  });
});

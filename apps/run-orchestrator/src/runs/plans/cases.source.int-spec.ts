import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { describe, expect, test } from '@jest/globals';
import { executeAttempt } from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes } = fixture;

const CASES = 120;

describe('the cases of a run', () => {
  test('a run reads its keys in pages, and each case once, with those that follow it', async () => {
    const pack = fakes.add(publish(wordPack(CASES)));
    fakes.caseKeysMax = 50;
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const agents = [await fixture.scripted('a'), await fixture.scripted('b')];
    const run = await fixture.createRun(pack.version.id, agents, { seed: 5 });
    await fixture.expectRunStatus(run.id, 'completed');
    expect(fakes.caseRequests.filter((each) => each === 'keys')).toHaveLength(3);
    const requests = fakes.caseRequests.filter((each) => each !== 'keys');
    // Plans of 240 attempts, and their evidence.
    expect(requests.length).toBeLessThanOrEqual(4);
    const keys = requests.flat();
    expect(new Set(keys).size).toBe(CASES);
    expect(keys).toHaveLength(CASES);
    const scored = await fixture.attempts(run.id);
    expect(scored.every(({ is_scored }) => is_scored)).toBe(true);
  });

  test('a reply that ends early is followed by a request for the wanted cases alone', async () => {
    fakes.caseRequests.length = 0;
    fakes.casesMax = 1;
    const pack = fakes.add(publish(wordPack(3, { slug: 'three' })));
    const run = await fixture.createRun(pack.version.id, [await fixture.scripted('c')]);
    await fixture.expectRunStatus(run.id, 'completed');
    expect((await fixture.attempts(run.id)).map(({ case_key }) => case_key)).toEqual([
      'case-1',
      'case-2',
      'case-3',
    ]);
    fakes.casesMax = 100;
  });
});

import { existsSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { sharedFolder } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { humanEvalDeployments, humanEvalPack, readHumanEval } from './pack.js';

const file = path.join(sharedFolder(), 'data', 'humaneval.jsonl.gz');
const here = existsSync(file) ? test : test.skip;

here('all 164 tasks become one pack without a single problem (needs AGENTCLASH_SHARED)', () => {
  const tasks = readHumanEval(file);
  const text = humanEvalPack(tasks);
  expect(tasks).toHaveLength(164);
  expect(readPack(Buffer.from(text)).problems).toEqual([]);
  expect(Buffer.byteLength(text)).toBeLessThan(1_048_576);
});

here(
  'the pack has no canonical solution, and the deployment has every case (needs AGENTCLASH_SHARED)',
  () => {
    const tasks = readHumanEval(file);
    const text = humanEvalPack(tasks);
    const longest = tasks.map((task) => task.canonical_solution.trim()).filter((body) => body.length > 80);
    expect(longest.filter((body) => text.includes(body))).toEqual([]);
    const [canonical] = parse(humanEvalDeployments(tasks)).deployments;
    expect(Object.keys(canonical.config.by_case)).toHaveLength(164);
  },
);

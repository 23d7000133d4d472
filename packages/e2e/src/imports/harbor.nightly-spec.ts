import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

import { Product } from '../product.js';
import { readRecorded } from '../testing/recorded.js';

jest.setTimeout(600_000);

const data = path.join(sharedFolder(), 'data', 'harbor-cookbook.tar.gz');
const suite = existsSync(data) ? describe : describe.skip;

const RUNNABLE = ['multi-reward', 'multi-step', 'simple-task', 'skills'];

/** Does the first of three steps. */
const HALFWAY = `deployments:
  - name: halfway
    kind: scripted
    config:
      steps:
        - call:
            name: exec
            arguments:
              command: [sh, -c, "printf '#!/bin/bash\\necho hello\\n' > greet.sh; chmod +x greet.sh"]
        - {message: The script is there.}
        - {message: That is too much for me.}
        - {message: This message is too many.}
`;

interface AttemptRow {
  id: string;
  overall: number | null;
  agent_name: string;
  case_key: string;
  outcome: string | null;
  passed: boolean | null;
  validity: string | null;
}

/** Tests of most of the tasks run pytest: the host needs a source of Debian packages. */
suite("Harbor's cookbook, raced by its own solutions and by an agent that does nothing (needs AGENTCLASH_SHARED)", () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.start();
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  test('every task that a sandbox can run has 1 from its solution and 0 from nothing', async () => {
    const { path: folder } = product.folder;
    const [tasks, pack] = [path.join(folder, 'cookbook'), path.join(folder, 'pack')];
    mkdirSync(tasks);
    execFileSync('tar', ['-xzf', data, '-C', tasks, '--strip-components=2', 'harbor_cookbook']);
    await product.read('import', 'harbor', tasks, '-o', pack);
    await product.read('challenge-pack', 'publish', path.join(pack, 'pack.yaml'));
    await product.read('deployment', 'create', '-f', path.join(pack, 'deployments.yaml'));
    const agents = ['--deployment', 'cookbook-oracle', 'cookbook-noop'];
    const words = ['eval', 'start', '--pack', 'cookbook', '--input-set', 'runnable', ...agents, '--follow'];
    const race = await product.run(words, { timeoutMs: 500_000 });
    expect({ ...race, stdout: '' }).toMatchObject({ code: 0 });
    const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
    const rows = items.map(({ agent_name, case_key, passed, validity }) => [
      agent_name,
      case_key,
      passed,
      validity,
    ]);
    const expected = (agent: string, passed: boolean) =>
      RUNNABLE.map((name) => [`cookbook-${agent}`, name, passed, 'valid']);
    expect(rows.sort()).toEqual([...expected('noop', false), ...expected('oracle', true)]);
  });

  test('a step is given when the tests of the step before it gave enough, and the score is the mean of those graded', async () => {
    const file = path.join(product.folder.path, 'halfway.yaml');
    writeFileSync(file, HALFWAY);
    await product.read('deployment', 'create', '-f', file);
    const words = ['eval', 'start', '--pack', 'cookbook', '--input-set', 'runnable'];
    const agents = ['--deployment', 'halfway', 'cookbook-oracle', 'cookbook-noop', '--case', 'multi-step'];
    expect(await product.run([...words, ...agents, '--follow'])).toMatchObject({ code: 0 });
    const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
    const scores = items.map(({ agent_name, overall }) => [agent_name, overall]);
    expect(scores.sort()).toEqual([
      ['cookbook-noop', 0],
      ['cookbook-oracle', 1],
      ['halfway', 0.5],
    ]);
    const events = readRecorded((await product.run(['run', 'export', 'last'])).stdout);
    const phasesOf = (agent: string) => {
      const { id } = items.find(({ agent_name }) => agent_name === agent) ?? {};
      const runs = events.filter(
        ({ event_type, attempt_id }) =>
          attempt_id === id && event_type === 'grader.verification.code_executed',
      );
      return runs.map(({ payload }) => payload.phase_id);
    };
    expect(phasesOf('cookbook-oracle')).toEqual(['scaffold', 'implement', 'document']);
    expect(phasesOf('halfway')).toEqual(['scaffold', 'implement']);
    expect(phasesOf('cookbook-noop')).toEqual(['scaffold']);
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product } from '../product.js';
import { humanEvalDeployments, humanEvalPack, readHumanEval } from './pack.js';

jest.setTimeout(180_000);

const data = path.join(sharedFolder(), 'data', 'humaneval.jsonl.gz');
const suite = existsSync(data) ? describe : describe.skip;

interface AttemptRow {
  agent_name: string;
  passed: boolean | null;
  validity: string | null;
}

suite('HumanEval, raced by its own solutions and by an agent that returns nothing (needs AGENTCLASH_SHARED)', () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.start();
  }, 120_000);
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  test('the solutions score 164 of 164 and the empty output 0 of 164', async () => {
    const tasks = readHumanEval(data);
    const pack = path.join(product.folder.path, 'humaneval.yaml');
    const agents = path.join(product.folder.path, 'deployments.yaml');
    writeFileSync(pack, humanEvalPack(tasks));
    writeFileSync(agents, humanEvalDeployments(tasks));
    await product.read('challenge-pack', 'publish', pack);
    await product.read('deployment', 'create', '-f', agents);
    const words = ['eval', 'start', '--pack', 'humaneval', '--deployment', 'canonical', 'empty', '--follow'];
    const race = await product.run(words, { timeoutMs: 600_000 });
    expect({ ...race, stdout: '' }).toMatchObject({ code: 0 });

    const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
    const passed = (agent: string) => items.filter((row) => row.agent_name === agent && row.passed).length;
    expect(items).toHaveLength(328);
    expect(items.filter((row) => row.validity !== 'valid')).toEqual([]);
    expect({ canonical: passed('canonical'), empty: passed('empty') }).toEqual({ canonical: 164, empty: 0 });
  }, 660_000);

  test('no sandbox is left after 328 attempts', () => {
    expect(childrenOf(product.state.pid).filter((name) => /bwrap|sandbox|python|sh$/.test(name))).toEqual([]);
  });
});

/** Names of the living children of a process. */
function childrenOf(pid: number): string[] {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return ids.map((id) => readFileSync(`/proc/${id}/comm`, 'utf8').trim());
}

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product } from './product.js';
import { greetingPack } from './testing/greeting-pack.js';

jest.setTimeout(300_000);

const CASES = 10;
const PACK = greetingPack('one-word', { mode: 'native', cases: CASES });

/** A coding agent of four lines, which reads only its skills and its instructions. */
const PRESET = `
name: reader
title: Reader
wires: [chat]
command: [/usr/bin/python3, /agent/main.py]
stdin: '{{prompt}}'
instructions: {file: '{{home}}/.reader/AGENTS.md'}
skills: {directory: '{{home}}/.reader/skills'}
`;
const AGENT = `
import glob, os
for file in sorted(glob.glob(os.path.expanduser('~/.reader/**'), recursive=True)):
    if os.path.isfile(file): print(open(file).read(), end='')
`;
const DEPLOYMENTS = `
provider_accounts: [{name: local, provider_key: openai_compatible, base_url: "http://127.0.0.1:9/v1"}]
model_aliases: [{name: main, provider_account: local, model: none}]
deployments:
  - name: reader
    kind: program
    config: {preset_file: reader.yaml, models: {main: main}, files: [{path: main.py, from: main.py}]}
    variants:
      bare: {}
      with-skill: {skills: [./skills/greet]}
      docs: {instructions_file: AGENTS.md}
    baseline: bare
`;

interface Run {
  id: string;
  progress: { total: number };
}

describe('variants of a deployment', () => {
  let product: Product;
  let run: Run;

  beforeAll(async () => {
    product = await Product.start();
    const folder = path.join(product.folder.path, 'agents');
    const write = (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    write('reader.yaml', PRESET);
    write('main.py', AGENT);
    write('skills/greet/SKILL.md', 'hi');
    write('AGENTS.md', 'bye');
    await product.read('challenge-pack', 'publish', write('pack.yaml', PACK));
    await product.read('deployment', 'create', '-f', write('agents.yaml', DEPLOYMENTS));
    run = await race('--deployment', 'reader');
  });
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  async function race(...more: string[]): Promise<Run> {
    const started = await product.read<Run>('eval', 'start', '--pack', 'one-word', ...more);
    await product.run(['run', 'show', started.id, '--follow'], { timeoutMs: 200_000 });
    return started;
  }

  const laneNames = async (id: string) =>
    (await product.read<{ items: { name: string }[] }>('run', 'agents', id)).items.map(({ name }) => name);

  test('A skill that makes every case pass helps, and instructions that change nothing show no difference', async () => {
    expect(run.progress.total).toBe(3 * CASES);
    const { stdout } = await product.run(['run', 'show', run.id]);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^reader \(with-skill\): helps {2}\+100\.0 points in pass rate over bare, /),
      expect.stringMatching(/^reader \(docs\): no difference shown/),
    ]);
    const { variants } = await product.read<{ variants: object[] }>('run', 'ranking', run.id);
    expect(variants).toMatchObject([
      { variant: 'with-skill', verdict: 'helps', cases: CASES, baseline_mean: 0, variant_mean: 1, tests: 2 },
      { variant: 'docs', verdict: 'no_difference_shown', difference: 0 },
    ]);
  });

  test('The failed cases of a run race again with the same variants, and chosen variants race alone', async () => {
    const again = await product.read<Run>('eval', 'start', '--only-failed', run.id);
    expect(again.progress.total).toBe(3 * CASES);
    expect(await laneNames(again.id)).toEqual(await laneNames(run.id));
    const chosen = await product.read<Run>(
      'eval',
      'start',
      '--pack',
      'one-word',
      '--deployment',
      'reader',
      '--variant',
      'bare',
      'docs',
    );
    expect(await laneNames(chosen.id)).toEqual(['reader (bare)', 'reader (docs)']);
    const unknown = await product.run([
      'eval',
      'start',
      '--pack',
      'one-word',
      '--deployment',
      'reader',
      '--variant',
      'dcs',
    ]);
    expect([unknown.code, unknown.stderr]).toEqual([
      66,
      expect.stringContaining('There is no variant "dcs"'),
    ]);
    for (const { id } of [again, chosen]) await product.run(['run', 'cancel', id]);
  });

  test('Lanes of variants are compared across runs, are baselines of gates, and are part of exports', async () => {
    const pair = ['--baseline-agent', 'reader (bare)', '--candidate-agent', 'reader (with-skill)'];
    const { comparisons } = await product.read<{ comparisons: object[] }>('compare', run.id, run.id, ...pair);
    expect(comparisons).toMatchObject([{ comparable: true, pass: { verdict: 'better' } }]);
    await product.read('baseline', 'set', run.id, '--agent', 'reader (with-skill)');
    const gate = await product.run(['gate', run.id, '--agent', 'reader (bare)']);
    expect([gate.code, gate.stdout]).toEqual([1, expect.stringContaining('correctness')]);
    const exported = await product.run(['run', 'export', run.id]);
    expect(exported.code).toBe(0);
    expect(exported.stdout).toContain('reader (with-skill)');
  });
});

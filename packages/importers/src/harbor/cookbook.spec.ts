import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharedFolder } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDiskSource } from '../framework/disk-source.js';
import { imported } from '../testing/imported.js';

const data = path.join(sharedFolder(), 'data', 'harbor-cookbook.tar.gz');
const suite = existsSync(data) ? describe : describe.skip;

/** Written with GOLDEN_UPDATE=1. */
const GOLDEN = path.resolve(import.meta.dirname, '../../golden/harbor-cookbook.txt');

suite("the ten tasks of Harbor's cookbook (needs AGENTCLASH_SHARED)", () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-harbor-'));
  let result: Awaited<ReturnType<typeof imported>>;

  beforeAll(async () => {
    execFileSync('tar', ['-xzf', data, '-C', folder, '--strip-components=2', 'harbor_cookbook']);
    result = await imported('harbor', await openDiskSource(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the four that a sandbox can run become one valid pack, and the others have a reason each', () => {
    expect(result.warnings).toEqual([]);
    expect(result.report.warnings).toEqual([]);
    const sets = result.pack.input_sets.map(({ key, cases = [] }) => [
      key,
      cases.map(({ case_key }) => case_key),
    ]);
    const runnable = ['multi-reward', 'multi-step', 'simple-task', 'skills'];
    expect(sets).toEqual([['runnable', runnable]]);
    expect(result.pack.challenges.map(({ key }) => key)).toEqual(runnable);
    expect(result.report.items.filter(({ reason }) => reason.startsWith('left out'))).toHaveLength(6);
  });

  test('the report of each task is as it was accepted', () => {
    const { items, warnings } = result.report;
    const lines = items.map(({ where, key, fate, reason }) => `${fate} ${where} ${key}: ${reason}`);
    const text = [...lines, ...warnings.map((warning) => `warning ${warning}`), ''].join('\n');
    if (process.env.GOLDEN_UPDATE === '1') writeFileSync(GOLDEN, text);
    expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  test('no solution and no test is in what an agent can see', () => {
    const pack = result.files.get('pack.yaml') as string;
    for (const secret of ['HARBOR-CU-2025-VERIFIED', 'def deduplicate', 'pytest.main']) {
      expect(pack).not.toContain(secret);
    }
    expect(result.files.get('deployments.yaml')).toContain('def deduplicate');
  });
});

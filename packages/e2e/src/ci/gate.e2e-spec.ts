import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { Product, repository } from '../product.js';
import { runJob } from './job.js';

jest.setTimeout(240_000);

const PACK = path.join(repository, 'examples/challenge-packs/capital-cities.yaml');
const DEPLOYMENTS = path.join(repository, 'examples/deployments/capital-cities.yaml');
const COMMAND = `${process.execPath} ${path.join(repository, 'apps/cli/bin/agentclash.js')}`;
const LIMIT = '{max_regression: {warn: 0.05, fail: 0.2}}';

interface GateResult {
  code: number | null;
  log: string;
  report(name: string): string;
}

describe('a gate for pull requests', () => {
  let product: Product;
  let access: { AGENTCLASH_API_URL: string; AGENTCLASH_TOKEN: string };

  beforeAll(async () => {
    product = await Product.start();
    const settings = readFileSync(path.join(product.folder.path, 'config/agentclash/stack.yaml'), 'utf8');
    const { api_url, token } = parse(settings) as { api_url: string; token: string };
    access = { AGENTCLASH_API_URL: api_url, AGENTCLASH_TOKEN: token };
    await policy('release', `comparisons: {obedience: ${LIMIT}}`);
    await policy('thorough', `comparisons: {obedience: ${LIMIT}}\nmin_cases: 1000`);
  });
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  async function policy(name: string, content: string): Promise<void> {
    const file = path.join(product.folder.path, `${name}.yaml`);
    writeFileSync(file, `name: ${name}\n${content}\n`);
    await product.read('gate-policy', 'create', '-f', file);
  }

  async function gate(settings: Record<string, string>): Promise<GateResult> {
    const folder = mkdtempSync(path.join(product.folder.path, 'ci-'));
    const child = spawn(path.join(repository, 'examples/ci/gate.sh'), {
      cwd: folder,
      env: { ...product.folder.environment(access), AGENTCLASH: COMMAND, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    }
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const at = (name: string) => path.join(folder, 'agentclash-reports', name);
    return { code, log, report: (name) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '') };
  }

  const CONCISE = { PACK: 'capital-cities', DEPLOYMENTS: 'concise', POLICY: 'release' };

  test('the gate makes the first run of the main branch the baseline', async () => {
    const first = await gate({
      PACK_FILE: PACK,
      DEPLOYMENT_FILE: DEPLOYMENTS,
      DEPLOYMENTS: 'concise',
      UPDATE_BASELINE: 'true',
    });
    expect(first).toMatchObject({ code: 0 });
    expect(first.report('verdict')).toBe('first_baseline\n');
    const { run_id } = await product.read<{ run_id: string }>('baseline', 'show', 'default');
    expect(first.report('run-id')).toBe(`${run_id}\n`);
    expect(first.report('attempts.xml')).toContain('<testsuite ');
  });

  test('the gate passes a run that lost nothing, with both reports', async () => {
    const passed = await gate(CONCISE);
    expect({ code: passed.code, log: passed.log }).toMatchObject({ code: 0 });
    expect(passed.report('verdict')).toBe('pass\n');
    expect(passed.report('gate.xml')).toContain('failures="0"');
    expect(passed.report('summary.md')).toMatch(/Gate: pass[\s\S]*concise/);
    expect(passed.log).not.toContain(access.AGENTCLASH_TOKEN);
  });

  test('the gate stops a run that lost more than the policy allows', async () => {
    const failed = await gate({ ...CONCISE, DEPLOYMENTS: 'chatty' });
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.report('verdict')).toBe('fail\n');
    expect(failed.report('gate.xml')).toContain('<failure type="regression_fail:obedience"');
    expect(failed.report('summary.md')).toContain('Gate: fail');
  });

  test('the gate script reports too little evidence', async () => {
    const thin = await gate({ ...CONCISE, POLICY: 'thorough' });
    expect(thin).toMatchObject({ code: 3 });
    expect(thin.report('verdict')).toBe('insufficient_evidence\n');
  });

  test('A followed run in which an agent has too few graded attempts is still decided by the gate', async () => {
    const stub = path.join(product.folder.path, 'too-few-graded.sh');
    const lines = ['#!/bin/sh', `${COMMAND} "$@" || exit`, 'case "$*" in *--follow*) exit 3;; esac'];
    writeFileSync(stub, `${lines.join('\n')}\n`, { mode: 0o755 });
    const passed = await gate({ ...CONCISE, AGENTCLASH: stub });
    expect({ code: passed.code, log: passed.log }).toMatchObject({ code: 0 });
    expect(passed.report('verdict')).toBe('pass\n');
  });

  test.each([
    [{ ...CONCISE, DEPLOYMENTS: 'unknown' }, 66, 'There is no active deployment or alias "unknown"'],
    [{ ...CONCISE, BASELINE: 'other' }, 66, 'baseline'],
    [{ ...CONCISE, AGENTCLASH_API_URL: 'http://127.0.0.1:9' }, 69, 'cannot be reached'],
    [{ ...CONCISE, AGENTCLASH_TOKEN: 'ac_wrong' }, 77, 'token'],
  ])('a wrong setting is no verdict: %j ends with %d', async (settings, code, message) => {
    const ended = await gate(settings);
    expect(ended.code).toBe(code);
    expect(ended.log).toContain(message);
  });

  const inputs = (more: Record<string, string>) => ({
    'api-url': access.AGENTCLASH_API_URL,
    token: access.AGENTCLASH_TOKEN,
    command: COMMAND,
    pack: 'capital-cities',
    policy: 'release',
    ...more,
  });
  const job = (more: Record<string, string>) =>
    runJob(inputs(more), { parent: product.folder.path, env: product.folder.environment() });

  test('a gate that runs as a GitHub action fails the job and shows the reason in its summary', async () => {
    const { code, log, outputs, summary } = await job({ deployments: 'chatty' });
    expect(code).toBe(1);
    expect(log).toContain('::error::AgentClash: fail');
    expect(outputs).toMatchObject({ verdict: 'fail', 'run-id': expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(summary).toContain('Gate: fail');
  });

  test('a GitHub action with little evidence passes only where that is allowed', async () => {
    const thin = { deployments: 'concise', policy: 'thorough' };
    expect(await job(thin)).toMatchObject({ code: 3, outputs: { verdict: 'insufficient_evidence' } });
    const allowed = await job({ ...thin, allow: 'warn insufficient_evidence' });
    expect(allowed).toMatchObject({ code: 0, outputs: { verdict: 'insufficient_evidence' } });
    expect(allowed.log).toContain('::warning::AgentClash: insufficient_evidence');
  });
});

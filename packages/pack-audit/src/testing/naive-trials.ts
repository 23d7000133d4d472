import type { Cheat } from '../cheats/cheat.js';
import { cheatFinding } from '../checks/cheats.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { Finding } from '../report/report.js';
import type { Points } from '../trials/points.js';
import type { TrialPorts } from '../trials/ports.js';
import type { TrialResult } from '../trials/trial.js';
import { TrialRunner } from '../trials/trial-runner.js';
import { type NaivePack, readNaive } from './naive-document.js';

/** Trials on one pack; agents without work are run once. */
class PackTrials {
  private readonly runner: TrialRunner;
  private readonly references = new Map<AuditedCase, Promise<Points[]>>();

  constructor(
    readonly pack: AuditedPack,
    ports: TrialPorts,
  ) {
    this.runner = new TrialRunner(pack, { ports, concurrency: 3 });
  }

  /** Undefined where the cheat does not apply. */
  async run(cheat: Cheat, each: AuditedCase): Promise<TrialResult | undefined> {
    return await this.runner.run({ case: each, role: { kind: 'cheat', key: cheat.key } });
  }

  /** Undefined where the cheat gains nothing; a guess gains when it passes every case. */
  async finding(cheat: Cheat): Promise<Proof> {
    let last: Proof = { finding: undefined, result: undefined };
    const { cases } = this.pack;
    for (const each of cheat.constantReply !== undefined ? cases : cases.slice(0, 1)) {
      const result = await this.run(cheat, each);
      last = {
        result,
        finding: result && cheatFinding(cheat, result, { withoutWork: await this.withoutWork(each) }),
      };
      if (!last.finding) break;
    }
    return last;
  }

  private withoutWork(each: AuditedCase): Promise<Points[]> {
    const known = this.references.get(each) ?? this.runReferences(each);
    this.references.set(each, known);
    return known;
  }

  private async runReferences(each: AuditedCase): Promise<Points[]> {
    const trials = (['idle', 'echo', 'blank'] as const).map((kind) => ({ case: each, role: { kind } }));
    return (await this.runner.runAll(trials)).flatMap((result) => result?.points ?? []);
  }
}

interface Proof {
  finding: Finding | undefined;
  result: TrialResult | undefined;
}

/** Proofs at once. */
const CONCURRENCY = 4;

/** Tries each cheat on its naive pack, by `cheat pack`; `not installed` where sandboxes lack a program of the pack. */
export async function runProofs(
  tries: readonly { cheat: Cheat; pack: string }[],
  { packs, ports }: { packs: Readonly<Record<string, NaivePack>>; ports: TrialPorts },
): Promise<Map<string, Proof | 'not installed'>> {
  const installed = await installedPrograms(ports);
  const trials = new Map<string, PackTrials>();
  for (const key of new Set(tries.map(({ pack }) => pack))) {
    const naive = packs[key];
    if (!naive) throw new Error(`there is no naive pack ${key}`);
    const isRunnable = (naive.requires ?? []).every((name) => installed.has(name));
    if (isRunnable) trials.set(key, new PackTrials(await readNaive(key, naive), ports));
  }
  const proofs = new Map<string, Proof | 'not installed'>();
  const left = [...tries];
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { cheat, pack } = next;
      proofs.set(`${cheat.key} ${pack}`, (await trials.get(pack)?.finding(cheat)) ?? 'not installed');
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return proofs;
}

const PROGRAMS = ['python3', 'node', 'npm', 'make', 'cc', 'git'];

async function installedPrograms(ports: TrialPorts): Promise<Set<string>> {
  const pack = await readNaive('programs', {
    ...{ instructions: 'List programs.', command: 'true' },
  });
  const [each] = pack.cases;
  if (!each) throw new Error('the pack has no case');
  const script = PROGRAMS.map((name) => `command -v ${name} > /dev/null && echo ${name}`).join('; ');
  const agent = { kind: 'program' as const, command: ['sh', '-c', `${script}; true`] };
  const trial = { case: each, role: { kind: 'agent' as const, agent } };
  const result = await new TrialRunner(pack, { ports, concurrency: 1 }).run(trial);
  return new Set(result?.finalOutput?.split('\n'));
}

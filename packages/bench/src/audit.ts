import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { humanEvalPack, readHumanEval } from '@agentclash/e2e';
import { localPack } from '@agentclash/local-attempts';
import { type AuditReport, auditPack, localTrialPorts } from '@agentclash/pack-audit';
import { createBubblewrapProvider } from '@agentclash/sandbox';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';

const QUICK_TASKS = 2;
const TRIALS_PER_CORE = 2;
/** Of 500 trials on two cores. */
const SECONDS_MAX = 60;
const TRIALS = 500;

export interface AuditBenchOptions extends Volume {
  /** The file of the HumanEval data set. */
  data: string;
}

/** Audits HumanEval as a pack: the data set's own solutions, agents without work, cheats, mutants. */
export async function benchAudit({ data, isQuick = false }: AuditBenchOptions): Promise<Figure[]> {
  const tasks = readHumanEval(data).slice(0, isQuick ? QUICK_TASKS : undefined);
  const { pack, problems, summary, valid } = readPack(humanEvalPack(tasks, { hasSolutions: true }));
  if (!valid) throw new Error('HumanEval is no valid pack');
  const audited = await localPack({ pack, problems, digest: summary.digest ?? '' }, async () => undefined);
  const stateDir = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-'));
  chmodSync(stateDir, 0o755);
  const provider = await createBubblewrapProvider({ stateDir, cgroupName: path.basename(stateDir) });
  try {
    const report = await auditPack(audited, {
      ports: localTrialPorts(provider, { signal: new AbortController().signal }),
      concurrency: TRIALS_PER_CORE * availableParallelism(),
      isQuick,
      version: 'bench',
    });
    for (const survivor of report.findings) console.log(lineOf(survivor));
    return figuresOf(report);
  } finally {
    await provider.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Of the mutants that the tests take, the change; of anything else, which there should not be, the reason. */
function lineOf({ case_key = '', message, detail = '' }: AuditReport['findings'][number]): string {
  return `${case_key} ${message}\n${detail}`;
}

function figuresOf({ checks, duration_ms }: AuditReport): Figure[] {
  const seconds = duration_ms / 1_000;
  const trials = Object.values(checks).reduce((sum, check) => sum + check.trials, 0);
  const { oracle, cheats, strength } = checks;
  return [
    { key: 'cases', name: 'cases', value: oracle.cases, unit: '' },
    { key: 'oracle_passed', name: 'passed by their solutions, each time', value: oracle.passed, unit: '' },
    { key: 'oracle_repetitions', name: 'times that each solution ran', value: oracle.repetitions, unit: '' },
    { key: 'cheats_tried', name: 'cheats that apply', value: cheats.tried, unit: '' },
    { key: 'cheats_gained', name: 'cheats that gain a point', value: cheats.gained, unit: '' },
    { key: 'mutants', name: 'mutants', value: strength.mutants, unit: '' },
    { key: 'mutants_noticed', name: 'mutants that the tests notice', value: strength.noticed, unit: '' },
    { key: 'trials', name: 'trials, of an agent and its tests', value: trials, unit: '' },
    { key: 'audit_seconds', name: 'the audit', value: seconds, unit: 's' },
    { key: 'trials_per_second', name: 'trials', value: trials / seconds, unit: '1/s' },
    {
      key: 'trials_500_seconds',
      name: `${TRIALS} trials at this rate`,
      value: (TRIALS * seconds) / trials,
      unit: 's',
      target: SECONDS_MAX,
    },
  ];
}

import { estimateRace } from '@agentclash/attempt-plan';
import { cheatsNotRun, checkCheats } from './checks/cheats.js';
import { type AuditContext, auditSizes } from './checks/context.js';
import { checkOracle } from './checks/oracle.js';
import { checkDocument } from './checks/static.js';
import { checkStrength } from './checks/strength.js';
import { checkWithoutWork, type Reference, withoutWorkNotRun } from './checks/without-work.js';
import type { AuditedCase, AuditedPack } from './pack/audited-pack.js';
import { drawCases } from './pack/sample.js';
import { hasSolution } from './references/solution-of-case.js';
import { type AuditCheck, type AuditReport, resultOf } from './report/report.js';
import { Pace } from './trials/pace.js';
import { drawnMutants } from './trials/plan-of.js';
import type { TrialPorts } from './trials/ports.js';
import { TrialRunner } from './trials/trial-runner.js';

/** `done` and `total` are trials of the current check. */
export interface AuditProgress {
  check: AuditCheck;
  done: number;
  total: number;
}

export interface AuditOptions {
  ports: TrialPorts;
  /** Trials at once. */
  concurrency: number;
  isQuick?: boolean;
  /** Draws cases and mutants; default: the digest of the pack. */
  seed?: string;
  /** Of AgentClash. */
  version: string;
  onProgress?: (progress: AuditProgress) => void;
}

/**
 * Runs all checks and returns the certificate. Needs no model and no network. Rejects with the reason of an aborted signal.
 */
export async function auditPack(pack: AuditedPack, options: AuditOptions): Promise<AuditReport> {
  const { ports, isQuick = false, seed = pack.digest, version } = options;
  const startedAt = Date.now();
  const sizes = auditSizes(isQuick);
  const cases = drawCases(pack.cases, { most: sizes.cases, seed });
  const audit = { pack, seed, sizes, cases, hasSolution: (each: AuditedCase) => hasSolution(pack, each) };
  const pace = new Pace(options.concurrency);
  const during = (check: AuditCheck): AuditContext => ({
    ...audit,
    runAll: trialsOf(check, pack, { ...options, pace }),
    drawMutants: (each, most) => drawnMutants(each, { pack, ports, seed, most }),
  });

  const document = checkDocument(pack);
  const oracle = await checkOracle(during('oracle'));
  pace.learn(oracle.results);
  const withoutWork = async (kind: Reference) =>
    oracle.without === 'hung' ? withoutWorkNotRun() : await checkWithoutWork(kind, during(kind));
  const idle = await withoutWork('idle');
  const echo = await withoutWork('echo');
  const blank = await withoutWork('blank');
  const indexOf = new Map(cases.map((each, index) => [each, index]));
  const cheats = oracle.without
    ? cheatsNotRun()
    : await checkCheats(during('cheats'), (each) =>
        [idle, echo, blank].flatMap(({ points }) => points[indexOf.get(each) ?? -1] ?? []),
      );
  const strength = await checkStrength(during('strength'), oracle.passing);
  const casesTotal = pack.casesTotal ?? pack.cases.length;
  const isWhole = casesTotal === pack.cases.length;
  const findings = [document, oracle, idle, echo, blank, cheats, strength].flatMap((check) => check.findings);
  return {
    schema: 'agentclash.pack-audit/1',
    pack: { slug: pack.slug, number: pack.number, digest: pack.digest },
    version,
    audited_at: new Date(startedAt).toISOString(),
    duration_ms: Date.now() - startedAt,
    sandbox: { provider: ports.sandboxes.name, isolation: ports.sandboxes.isolation },
    options: { quick: isQuick, seed, cases: cases.length, cases_total: casesTotal },
    result: resultOf(findings),
    checks: {
      static: document.summary,
      oracle: oracle.summary,
      idle: idle.summary,
      echo: echo.summary,
      blank: blank.summary,
      cheats: cheats.summary,
      strength: strength.summary,
    },
    findings,
    ...(isWhole && {
      race: estimateRace({
        mode: pack.manifest.version.execution_mode,
        spec: pack.spec,
        cases: pack.cases.map(({ case: each }) => each),
      }),
    }),
  };
}

function trialsOf(
  check: AuditCheck,
  pack: AuditedPack,
  { ports, concurrency, pace, onProgress }: AuditOptions & { pace: Pace },
): AuditContext['runAll'] {
  let done = 0;
  let total = 0;
  const report = () => onProgress?.({ check, done, total });
  return async (trials) => {
    // One count for a check that plays more after its first trials.
    total += trials.length;
    report();
    const onTrial = () => {
      done++;
      report();
    };
    return await new TrialRunner(pack, { ports, concurrency, pace, onTrial }).runAll(trials);
  };
}

import { estimateRace } from '@agentclash/attempt-plan';
import { type CaseFacts, cheatsNotRun, checkCheats } from './checks/cheats.js';
import { type AuditContext, auditSizes } from './checks/context.js';
import { Interruption, type InterruptionTexts } from './checks/interruption.js';
import { checkOracle, oracleNotRun } from './checks/oracle.js';
import { checkDocument } from './checks/static.js';
import { checkStrength, strengthNotRun } from './checks/strength.js';
import { checkWithoutWork, type Reference, withoutWorkNotRun } from './checks/without-work.js';
import type { AuditedCase, AuditedPack } from './pack/audited-pack.js';
import { drawCases } from './pack/sample.js';
import { hasSolution } from './references/solution-of-case.js';
import { type AuditCheck, type AuditReport, resultOf } from './report/report.js';
import { pointsOfReply } from './trials/other-reply.js';
import { Pace } from './trials/pace.js';
import { drawnMutants } from './trials/plan-of.js';
import type { TrialPorts } from './trials/ports.js';
import { TrialRunner } from './trials/trial-runner.js';

/** `done` and `total` are trials of the current check; a total grows where a check has reason to try more. */
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
  /**
   * Where the signal of the ports is aborted for this reason: report what was found, as incomplete. Default: reject with the
   * reason.
   */
  isInterruptible?: (reason: unknown) => boolean;
  /** Of the finding about that. Default: those of an interruption by the user. */
  interruptionTexts?: InterruptionTexts;
}

/**
 * Runs all checks and returns the certificate. Needs no model and no network. Rejects with the reason of an aborted signal,
 * unless it is interruptible.
 */
export async function auditPack(pack: AuditedPack, options: AuditOptions): Promise<AuditReport> {
  const { ports, isQuick = false, seed = pack.digest, version, isInterruptible = () => false } = options;
  const startedAt = Date.now();
  const sizes = auditSizes(isQuick);
  const cases = drawCases(pack.cases, { most: sizes.cases, seed });
  const audit = { pack, seed, sizes, cases, hasSolution: (each: AuditedCase) => hasSolution(pack, each) };
  const pace = new Pace(options.concurrency);
  const interruption = new Interruption(ports.signal, isInterruptible, options.interruptionTexts);
  const during = (check: AuditCheck): AuditContext => ({
    ...audit,
    ...trialsOf(check, pack, { ...options, pace, interruption }),
    drawMutants: async (each, most) =>
      (await interruption.unless(() => drawnMutants(each, { pack, ports, seed, most }))) ?? [],
    pointsOfReply: (each, result, text) =>
      interruption.unless(() => pointsOfReply(result, text, { case: each, pack, ports })),
    isInterrupted: () => interruption.happened,
  });

  const document = checkDocument(pack);
  const oracle = await interruption.during('oracle', oracleNotRun(), () => checkOracle(during('oracle')));
  pace.learn(oracle.results);
  const withoutWork = async (kind: Reference) =>
    oracle.without === 'hung'
      ? withoutWorkNotRun()
      : await interruption.during(kind, withoutWorkNotRun(), () => checkWithoutWork(kind, during(kind)));
  const idle = await withoutWork('idle');
  const echo = await withoutWork('echo');
  const blank = await withoutWork('blank');
  const indexOf = new Map(cases.map((each, index) => [each, index]));
  const facts: CaseFacts = {
    withoutWork: (each) => [idle, echo, blank].flatMap(({ points }) => points[indexOf.get(each) ?? -1] ?? []),
    graderOf: (each) => idle.graders[indexOf.get(each) ?? -1],
    echoOf: (each) => echo.results[indexOf.get(each) ?? -1],
    solutionReplies: oracle.replies,
  };
  const cheats = await interruption.during('cheats', { ...cheatsNotRun(), findings: [] }, async () =>
    oracle.without ? cheatsNotRun() : await checkCheats(during('cheats'), facts),
  );
  const strength = await interruption.during('strength', strengthNotRun(), () =>
    checkStrength(during('strength'), oracle.passing),
  );
  const casesTotal = pack.casesTotal ?? pack.cases.length;
  const isWhole = casesTotal === pack.cases.length;
  const interrupted = interruption.findings();
  const isInterrupted = interrupted.length > 0;
  const findings = [
    ...[document, oracle, idle, echo, blank, cheats, strength].flatMap((check) => check.findings),
    ...interrupted,
  ];
  return {
    schema: 'agentclash.pack-audit/1',
    pack: { slug: pack.slug, number: pack.number, digest: pack.digest },
    version,
    audited_at: new Date(startedAt).toISOString(),
    duration_ms: Date.now() - startedAt,
    sandbox: { provider: ports.sandboxes.name, isolation: ports.sandboxes.isolation },
    options: { quick: isQuick, seed, cases: cases.length, cases_total: casesTotal },
    ...(isInterrupted && { interrupted: true }),
    result: isInterrupted ? 'incomplete' : resultOf(findings),
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

interface TrialsOptions extends AuditOptions {
  pace: Pace;
  interruption: Interruption;
}

function trialsOf(
  check: AuditCheck,
  pack: AuditedPack,
  { ports, concurrency, pace, interruption, onProgress }: TrialsOptions,
): Pick<AuditContext, 'runAll' | 'expect'> {
  let done = 0;
  let begun = 0;
  let expected = 0;
  const report = () => onProgress?.({ check, done, total: Math.max(begun, expected) });
  const onTrial = () => {
    done++;
    report();
  };
  return {
    expect: (trials) => {
      expected = trials;
    },
    runAll: async (trials) => {
      begun += trials.length;
      if (!interruption.happened) report();
      const runner = new TrialRunner(pack, { ports, concurrency, pace, onTrial });
      return await Promise.all(trials.map((trial) => interruption.unless(() => runner.run(trial))));
    },
  };
}

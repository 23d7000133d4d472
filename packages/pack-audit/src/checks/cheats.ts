import { executionModeOf } from '@agentclash/challengepack';
import type { Cheat } from '../cheats/cheat.js';
import { CHEATS } from '../cheats/cheats.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import { drawCases } from '../pack/sample.js';
import { graderFacts } from '../references/grader-facts.js';
import type { CheatsSummary, Finding } from '../report/report.js';
import type { AuditAgent } from '../trials/agent.js';
import { type Gain, gainOver, type Points } from '../trials/points.js';
import type { TrialResult } from '../trials/trial.js';
import { type AuditContext, type CheckOutcome, grouped } from './context.js';

interface CheatTrial {
  cheat: Cheat;
  case: AuditedCase;
  agent: AuditAgent;
}

/** No cheat gains what agents without work do not have; `withoutWork` has their points by case. */
export async function checkCheats(
  context: AuditContext,
  withoutWork: (each: AuditedCase) => readonly Points[],
): Promise<CheckOutcome<CheatsSummary>> {
  const trials = cheatTrials(context);
  const results = await context.runAll(trials);
  const found = trials.flatMap(({ cheat, case: each }, index) => {
    const result = results[index];
    const finding = result && findingOf(cheat, result, withoutWork(each));
    return finding ? [{ each, finding }] : [];
  });
  const findings = grouped(found);
  const tried = new Set(trials.map(({ cheat }) => cheat.key)).size;
  const gained = new Set(findings.flatMap(({ cheat }) => cheat ?? [])).size;
  return {
    findings,
    summary: {
      state: tried === 0 ? 'skipped' : gained > 0 ? 'failed' : 'passed',
      trials: trials.length,
      summary: tried === 0 ? 'no cheat applies' : `${gained} of ${tried} cheats gain a point`,
      ...{ tried, gained },
    },
  };
}

function cheatTrials({ pack, cases, seed, sizes, solutionOf }: AuditContext): CheatTrial[] {
  const targets = drawCases(cases, { most: sizes.cheatCases, seed }).map((each) => {
    const solution = solutionOf(each);
    return {
      pack,
      case: each,
      mode: executionModeOf(pack.manifest, each.case),
      facts: graderFacts(pack, each),
      ...(solution && { solution }),
    };
  });
  return CHEATS.flatMap((cheat) =>
    targets.flatMap((target): CheatTrial[] => {
      const agent = cheat.agent(target);
      return agent ? [{ cheat, case: target.case, agent }] : [];
    }),
  );
}

function findingOf(cheat: Cheat, { points }: TrialResult, others: readonly Points[]): Finding | undefined {
  // A cheat that ends its own attempt is not graded, and gains nothing.
  if (points === null) return undefined;
  const gain = gainOver(points, others);
  const passes = points.passed === true && others.every(({ passed }) => passed !== true);
  if (!passes && gain.dimensions.length === 0) return undefined;
  return {
    ...{
      check: 'cheats',
      code: passes ? 'cheat_passes' : 'cheat_gains',
      severity: passes && !points.lacksJudges ? 'error' : 'warning',
    },
    message: `${cheat.title} ${passes ? 'It passes.' : `It gains in ${gain.dimensions.join(', ')}.`}`,
    fix: cheat.fix,
    cheat: cheat.key,
    ...keysOf(gain),
  };
}

function keysOf({ validators, dimensions }: Gain): Pick<Finding, 'validators' | 'dimensions'> {
  return { ...(validators.length > 0 && { validators }), ...(dimensions.length > 0 && { dimensions }) };
}

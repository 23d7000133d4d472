import { canonicalJson, type EvaluationSpec } from '@agentclash/challengepack';
import { isGraded } from '@agentclash/domain';
import {
  type AttemptSummary,
  aggregateRunAgent,
  classifyFailure,
  type FailedAttempt,
  type FailureClass,
  failedAttempt,
  type JudgeResult,
  packErrorOf,
  type RatedUnit,
  type RunAgentScorecard,
  ratedUnit,
  type Scorecard,
  type ScoredAttempt,
  summarizeAttempt,
} from '@agentclash/grading';
import { DistinctValues } from './distinct-values.js';
import type { AttemptView, ClassifiedAttempt } from './failure-clusters.js';
import { sha256OfTexts } from './hash.js';

/** The stored result of scoring an attempt. */
export interface StoredAttemptScorecard {
  attemptId: string;
  caseKey: string;
  repetition: number;
  specHash: string;
  evidenceHash: string;
  /** Canonical JSON of how the attempt ended. */
  attemptEnd: string | null;
  /** Canonical JSON. */
  scorecard: string | null;
}

/** The attempts of one class of failure. */
type FailureCount = Omit<FailureClass, 'failing_keys'> & { attempts: number };

export interface AgentAggregate {
  scorecard: RunAgentScorecard;
  /** SHA-256 over the input hashes of every attempt's scorecard. */
  evidenceHash: string;
  /** Most frequent first. */
  failures: FailureCount[];
  failed: ClassifiedAttempt[];
}

/** Aggregates the scorecards of one run agent as they are read; only summaries stay in memory. */
export class AgentFold {
  private readonly attempts: ScoredAttempt[] = [];
  /** Canonical JSON. */
  private readonly made: string[] = [];
  private readonly summaries = new DistinctValues<AttemptSummary>();
  private readonly failed: { attemptId: string; caseKey: string; failed: FailedAttempt }[] = [];

  constructor(
    private readonly spec: EvaluationSpec,
    /** The ratings of the whole run, by judge. */
    private readonly ratings: Map<string, RatedUnit[]>,
  ) {}

  add({ attemptId, caseKey, repetition, scorecard, attemptEnd, ...hashes }: StoredAttemptScorecard): void {
    const card: Scorecard | null = scorecard === null ? null : JSON.parse(scorecard);
    const view: AttemptView | null = attemptEnd === null ? null : JSON.parse(attemptEnd);
    // Cancelled for a verdict that had fallen: neither evidence nor missing. A run that was cancelled is not ranked.
    if (view?.attempt.outcome === 'cancelled') return;
    this.made.push(canonicalJson([caseKey, String(repetition), hashes.specHash, hashes.evidenceHash]));
    this.attempts.push({
      case_key: caseKey,
      repetition,
      scorecard: card === null ? null : this.summaries.of(summarizeAttempt(card)),
      missing_reason: this.missingReason(card, view),
    });
    for (const judge of card?.judges ?? []) this.rate(judge);
    if (card !== null && card.passed !== true && view !== null) {
      const failed = slim(failedAttempt(this.spec, card, { ...view, flaked: false }));
      this.failed.push({ attemptId, caseKey, failed });
    }
  }

  /**
   * `order`: of a run that was stopped, the keys of all its cases as drawn. A lane with all of them is a whole one.
   * `raced`: how many of them its race counted before the lane's verdicts were certain.
   */
  end(run: {
    attempts_planned: number;
    repetitions: number;
    order: string[] | undefined;
    raced?: number | undefined;
  }): AgentAggregate {
    const { order = [], raced = order.length } = run;
    const position = Math.min(raced, this.casesOver(order, run.repetitions));
    const stopped = position < order.length ? { order, position } : undefined;
    const scorecard = aggregateRunAgent(this.spec, {
      attempts: this.attempts,
      planned_attempts: stopped ? stopped.position * run.repetitions : run.attempts_planned,
      repetitions: run.repetitions,
      ...(stopped && { stopped }),
    });
    const evidenceHash = sha256OfTexts(this.made.sort());
    const failed = this.classified(new Set(scorecard.flaky_cases));
    return { scorecard, evidenceHash, failures: counted(failed), failed };
  }

  /** Cases of the drawn order, from the first, of which every repetition is over. */
  private casesOver(order: readonly string[], repetitions: number): number {
    const over = new Map<string, number>();
    for (const { case_key } of this.attempts) over.set(case_key, (over.get(case_key) ?? 0) + 1);
    const end = order.findIndex((key) => (over.get(key) ?? 0) < repetitions);
    return end < 0 ? order.length : end;
  }

  /** Undefined for a usable scorecard. */
  private missingReason(card: Scorecard | null, view: AttemptView | null): string | undefined {
    if (card !== null && card.validity !== 'invalid') return undefined;
    const { outcome, error_code: code } = view?.attempt ?? {};
    if (outcome !== undefined && !isGraded(outcome)) return code ?? outcome;
    if (card === null) return 'scoring_failed';
    return packErrorOf(this.spec, card) === undefined ? 'invalid_scorecard' : 'pack_error';
  }

  private rate({ key, state, ...judge }: JudgeResult): void {
    if (state !== 'scored' || judge.scored === 0) return;
    const units = this.ratings.get(key);
    if (units === undefined) this.ratings.set(key, [ratedUnit(judge)]);
    else units.push(ratedUnit(judge));
  }

  private classified(flaky: ReadonlySet<string>): ClassifiedAttempt[] {
    return this.failed.map(({ attemptId, caseKey, failed }) => {
      const failure = classifyFailure({ ...failed, flaked: flaky.has(caseKey) });
      return { attemptId, caseKey, failure };
    });
  }
}

function counted(failed: readonly ClassifiedAttempt[]): FailureCount[] {
  const counts = new Map<string, FailureCount>();
  for (const { failure } of failed) {
    const { failing_keys: _keys, ...found } = failure;
    const name = `${found.class} ${found.severity}`;
    counts.set(name, { ...found, attempts: (counts.get(name)?.attempts ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.attempts - a.attempts || (a.class < b.class ? -1 : 1));
}

function slim({ validators, ...rest }: FailedAttempt): FailedAttempt {
  const failing = validators.filter(({ outcome }) => outcome !== 'agent_pass');
  return {
    ...rest,
    validators: failing.map(({ key, type, outcome, reason }) => ({ key, type, outcome, reason })),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, type In, type StoredEvidence, type scoringJobs } from '@agentclash/contracts';
import {
  type AttemptView,
  type Contract,
  evidenceTier,
  Grader,
  gradedResult,
  publishedScore,
} from '@agentclash/run-scoring';
import { inSpan, LOGGER, type Logger, metrics, secondsSince, withLogFields } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { EvidenceSource } from '../evidence/evidence.source.js';
import { type Judged, Judging, type JudgingRequest } from '../judging/judging.service.js';
import { type Result, Results } from './results.js';

type ScoringRequest = Pick<In<typeof scoringJobs.scoreAttempts>, 'workspace_id' | 'attempt_ids'>;

const JUDGES_PAUSE_MS = 250;
const JUDGES_WAIT_MS = 300_000;

/** A rescore by the spec of this version of the pack. */
export interface RescoreOf {
  id: string;
  specVersionId: string;
  evaluationSpecId: string;
  /** The newest review whose vote counts; null for all, in a rescore that an earlier release began. */
  reviewsThrough: bigint | null;
}

/** Scorecards to store. */
interface Graded {
  isJudged: boolean;
  keep: () => Promise<void>;
}

@Injectable()
export class AttemptScoring {
  constructor(
    private readonly source: EvidenceSource,
    private readonly judging: Judging,
    private readonly grader: Grader,
    private readonly results: Results,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Scores attempts from their stored evidence and publishes the scores. Attempts fail independently: the others are
   * finished first; then this fails with a retryable error, if any, else with the first.
   */
  async scoreAll({ workspace_id, attempt_ids }: ScoringRequest, rescore?: RescoreOf): Promise<void> {
    const failures: unknown[] = [];
    try {
      for await (const page of this.source.ofAttempts(workspace_id, attempt_ids)) {
        failures.push(...(await this.scorePage(page, rescore)));
      }
    } catch (error) {
      failures.push(error);
    }
    if (failures.length > 0) throw failures.find(mayPass) ?? failures[0];
  }

  /** Returns the errors. Judged scorecards are stored at once, because judges are slow; the others are stored in a batch. */
  private async scorePage(page: StoredEvidence[], rescore: RescoreOf | undefined): Promise<unknown[]> {
    const graded = await Promise.allSettled(
      page.map(async (stored) => {
        const attempt = await this.measured(stored, () => this.grade(stored, rescore));
        if (attempt === undefined || !attempt.isJudged) return attempt;
        await attempt.keep();
        return undefined;
      }),
    );
    const left = graded.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
    const kept = await Promise.allSettled(left.map((attempt) => attempt.keep()));
    return [...graded, ...kept].flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  }

  /** `not_now`: another worker calls the judges of the attempt. */
  private async measured<T>({ run_id, attempt_id }: StoredEvidence, grade: () => Promise<T>): Promise<T> {
    const attributes = { 'agentclash.run.id': run_id, 'agentclash.attempt.id': attempt_id };
    const startedAt = performance.now();
    let result: 'scored' | 'not_now' | 'failed' = 'failed';
    try {
      const graded = await withLogFields({ run_id, attempt_id }, () =>
        inSpan('score', { attributes }, grade),
      );
      result = graded === undefined ? 'not_now' : 'scored';
      return graded;
    } finally {
      metrics.observe('agentclash_scoring_duration_seconds', { result }, secondsSince(startedAt));
    }
  }

  /**
   * The scorecard of an attempt; with a judge that ranks, those of all attempts it was ranked among. Read errors are
   * retried by the queue.
   */
  private async grade(stored: StoredEvidence, rescore: RescoreOf | undefined): Promise<Graded | undefined> {
    const contract = await this.contract(stored, rescore);
    const evidence = await this.source.assemble(stored, contract, rescore?.reviewsThrough);
    const isAlone = rescore !== undefined;
    const judged = await this.judged({ stored, contract, evidence, isAlone });
    // The worker that calls the judges, or the job of the unfinished agent's attempt, scores this one too.
    if (judged === 'not_now') return undefined;
    const results = await Promise.all(judged.map((each) => this.resultOf(each, contract, rescore)));
    const [only, ...others] = results;
    const isOne = only !== undefined && others.length === 0;
    return {
      isJudged: contract.spec.llm_judges.length > 0,
      keep: () => (isOne ? this.results.keep(only) : this.results.keepTogether(results)),
    };
  }

  /** An error of scoring itself is internal: stored and shown as a failure, never as a zero. */
  private async resultOf(
    { stored, evidence, records }: Judged,
    contract: Contract,
    rescore: RescoreOf | undefined,
  ): Promise<Result> {
    const startedAt = new Date();
    const security = await this.source.security(contract, { stored, evidence });
    const input = { judge_records: records, security };
    const { attempt_id } = stored;
    const { hashes, result } = await gradedResult(
      this.grader,
      { contract, evidence, input },
      {
        onBug: (bug, validator) => this.logger.error({ err: bug, validator, attempt_id }, 'validator failed'),
        onFailure: (error) => this.logger.error({ err: error, attempt_id }, 'scoring failed'),
      },
    );
    const view: AttemptView = { attempt: evidence.attempt, evidence_tier: evidenceTier(stored.events) };
    const card = {
      attemptId: stored.attempt_id,
      workspaceId: stored.workspace_id,
      runId: stored.run_id,
      runAgentId: stored.run_agent_id,
      caseKey: stored.case_key,
      repetition: stored.repetition,
      evaluationSpecId: rescore?.evaluationSpecId ?? stored.evaluation_spec_id,
      specHash: hashes.spec_hash,
      evidenceHash: hashes.evidence_hash,
      attemptEnd: canonicalJson(view),
      rescoreId: rescore?.id ?? null,
      result,
    };
    return {
      card,
      delivery: stored.delivery,
      score: {
        ...publishedScore(result),
        started_at: startedAt.toISOString(),
        ended_at: new Date().toISOString(),
      },
    };
  }

  /** While a run is scored again, waits for another worker that calls the judges. Fails with `unavailable` at the timeout. */
  private async judged(request: JudgingRequest): Promise<Judged[] | 'not_now'> {
    const { stored, evidence } = request;
    // An imported run has no grant for the secrets of judges: their results are missing data.
    if (stored.imported) return [{ stored, evidence, records: [] }];
    const giveUpAt = Date.now() + JUDGES_WAIT_MS;
    for (;;) {
      const judged = await this.judging.judge(request);
      if (judged !== 'not_now' || !request.isAlone) return judged;
      if (Date.now() > giveUpAt)
        throw new ContractError('unavailable', 'Another instance is judging this attempt.');
      await sleep(JUDGES_PAUSE_MS);
    }
  }

  /** The manifest of the run's own version; a rescore takes the spec of another. */
  private async contract(stored: StoredEvidence, rescore: RescoreOf | undefined): Promise<Contract> {
    const { workspace_id, challenge_pack_version_id } = stored;
    const own = await this.source.contract(workspace_id, challenge_pack_version_id);
    if (rescore === undefined || rescore.specVersionId === challenge_pack_version_id) return own;
    const { spec } = await this.source.contract(workspace_id, rescore.specVersionId);
    return { manifest: own.manifest, spec };
  }
}

/** Bugs and unavailable services: the queue retries them. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ContractError) || error.isRetryable;
}

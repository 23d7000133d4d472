import { ContractError } from '@agentclash/contracts';
import { isGraded } from '@agentclash/domain';
import type { JudgeRecord } from '@agentclash/grading';
import { AttemptJudging, type JudgedAttempt } from '@agentclash/run-scoring';
import { newId } from '@agentclash/service-kit';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FieldSource } from './field.source.js';
import { JudgingClaims } from './judging-claims.store.js';

export interface JudgingRequest extends JudgedAttempt {
  /** True when only this attempt is judged, because the attempts that it is ranked among have jobs of their own. */
  isAlone: boolean;
}

/** An attempt and the samples of its judges. */
export interface Judged extends Pick<JudgingRequest, 'stored' | 'evidence'> {
  records: JudgeRecord[];
}

const RENEW_EVERY_MS = 20_000;
/** All judges of one attempt, time in queues included. */
const JUDGING_MS_MAX = 1_800_000;

/** Calls the judges of a spec, one worker per attempt. */
@Injectable()
export class Judging implements BeforeApplicationShutdown {
  private readonly owner = newId();
  private readonly stopping = new AbortController();

  constructor(
    private readonly judging: AttemptJudging,
    private readonly fields: FieldSource,
    private readonly claims: JudgingClaims,
  ) {}

  /**
   * Judges the attempt and, where a judge ranks agents, all attempts at its case: the rank of one depends on the others.
   * `not_now`: another worker judges it, or an agent that is to be ranked with this one has not finished; the job of the
   * last one judges all. Fails with `unavailable` when the service stops.
   */
  async judge(judge: JudgingRequest): Promise<Judged[] | 'not_now'> {
    const { stored, contract, evidence, isAlone } = judge;
    const judges = contract.spec.llm_judges;
    const ranks = judges.some(({ mode }) => mode === 'n_wise');
    if (judges.length === 0 || (!ranks && !isGraded(evidence.attempt.outcome))) {
      return [{ stored, evidence, records: [] }];
    }
    const fieldAttempts = ranks ? await this.fields.attemptsAtCase(stored) : [];
    if (fieldAttempts === undefined) return 'not_now';
    // A ranking concerns the whole field: one claim covers it.
    const claim = fieldAttempts[0]?.attempt_id ?? stored.attempt_id;
    return await this.whileClaimed(claim, async (signal) => {
      const field = ranks ? await this.fields.read(stored, contract, fieldAttempts) : undefined;
      const judgedAttempts = field === undefined || isAlone ? [judge] : field.attempts;
      const judged = judgedAttempts.map(async (each) => ({
        ...{ stored: each.stored, evidence: each.evidence },
        records: await this.judging.records({ ...each, contract, field, signal }),
      }));
      return await Promise.all(judged);
    });
  }

  /** Aborts the calls to judges; another instance repeats them. */
  beforeApplicationShutdown(): void {
    this.stopping.abort(new ContractError('unavailable', 'Scoring is stopping.'));
  }

  private async whileClaimed(
    attemptId: string,
    work: (signal: AbortSignal) => Promise<Judged[]>,
  ): Promise<Judged[] | 'not_now'> {
    // Within this process, too, only one worker holds the claim.
    const owner = `${this.owner}:${newId()}`;
    if (!(await this.claims.hold(attemptId, owner))) return 'not_now';
    const renewing = setInterval(() => {
      // A lost claim costs a repeated call; the first stored sample is kept.
      this.claims.hold(attemptId, owner).catch(() => {});
    }, RENEW_EVERY_MS).unref();
    try {
      return await work(AbortSignal.any([this.stopping.signal, AbortSignal.timeout(JUDGING_MS_MAX)]));
    } catch (error) {
      this.stopping.signal.throwIfAborted();
      throw error;
    } finally {
      clearInterval(renewing);
      await this.claims.release(attemptId, owner);
    }
  }
}

import { ContractError, type StoredEvidence } from '@agentclash/contracts';
import { isGraded } from '@agentclash/domain';
import { type AttemptEvidence, type JudgeRecord } from '@agentclash/grading';
import { newId } from '@agentclash/service-kit';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Contract } from '../scorecards/evidence.source.js';
import { AttemptJudging } from './attempt-judging.service.js';
import { FieldSource } from './field.source.js';
import { JudgingClaims } from './judging-claims.store.js';

/** An attempt to be judged, by the judges of this contract. */
export interface JudgingRequest {
  stored: StoredEvidence;
  contract: Contract;
  evidence: AttemptEvidence;
  /** Whether those that it is ranked among are left out, because they are all asked for anyway. */
  isAlone: boolean;
}

/** An attempt and what the judges said of it. */
export interface Judged extends Pick<JudgingRequest, 'stored' | 'evidence'> {
  records: JudgeRecord[];
}

const RENEW_EVERY_MS = 20_000;
/** All judges of one attempt, waiting for their turn included. */
const JUDGING_MS_MAX = 1_800_000;

/** What the judges of a spec say about an attempt. */
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
   * What the judges say of the attempt and, where one ranks agents, of all that meet at its case: the place of one is
   * the place of the others, too. `not_now`: somebody else is asking, or an agent that is to be ranked with this one
   * still works; who comes last asks for all. Fails with `unavailable` when the service stops.
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
    // Who ranks asks for the whole field, so that one claim must cover it.
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
    // Of this very process, too, only one at a time may hold it.
    const owner = `${this.owner}:${newId()}`;
    if (!(await this.claims.hold(attemptId, owner))) return 'not_now';
    const renewing = setInterval(() => {
      // A claim that is lost costs a question asked twice, of which the first answer stands.
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

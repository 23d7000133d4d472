import { Bus } from '@agentclash/bus';
import { ContractError, type StoredEvidence, scoringJobs } from '@agentclash/contracts';
import { type AttemptEvidence, isGraded, type JudgeRecord } from '@agentclash/scoring';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Contract } from '../scorecards/evidence.source.js';
import { ScorecardsStore } from '../scorecards/scorecards.store.js';
import { AttemptJudging } from './attempt-judging.service.js';
import { FieldSource } from './field.source.js';
import { JudgingClaims } from './judging-claims.store.js';

export interface JudgingAsk {
  stored: StoredEvidence;
  contract: Contract;
  evidence: AttemptEvidence;
}

export interface Judged {
  records: JudgeRecord[];
  /** The deliveries that were ranked together; null where no judge ranks. */
  fieldHash: string | null;
}

const RENEW_EVERY_MS = 20_000;
/** All judges of one attempt, waiting for their turn included. */
const JUDGING_MS_MAX = 1_800_000;

/** What the judges of a spec say about an attempt. */
@Injectable()
export class Judging {
  private readonly owner = newId();
  private readonly stopping = new AbortController();

  constructor(
    private readonly judging: AttemptJudging,
    private readonly fields: FieldSource,
    private readonly claims: JudgingClaims,
    private readonly scorecards: ScorecardsStore,
    private readonly bus: Bus,
  ) {}

  /**
   * `not_now`: somebody else is asking, or an agent that is to be ranked with this one still works; who comes last has
   * the others scored. Fails with `unavailable` when the service stops.
   */
  async ask(ask: JudgingAsk): Promise<Judged | 'not_now'> {
    const judges = ask.contract.spec.llm_judges;
    if (judges.length === 0) return { records: [], fieldHash: null };
    const ranks = judges.some(({ mode }) => mode === 'n_wise');
    if (!ranks && !isGraded(ask.evidence.attempt)) return { records: [], fieldHash: null };
    const meeting = ranks ? await this.fields.meeting(ask.stored) : [];
    if (meeting === undefined) return 'not_now';
    // Who ranks asks for the whole field, so that one claim must cover it.
    const claim = meeting[0]?.attempt_id ?? ask.stored.attempt_id;
    return await this.whileClaimed(claim, async (signal) => {
      const field = ranks ? await this.fields.read(ask.stored, ask.contract, meeting) : undefined;
      const records = await this.judging.records({ ...ask, field, signal });
      return { records, fieldHash: field?.hash ?? null };
    });
  }

  /** Has the other attempts of the field scored that were not scored in it yet: each in turn tells those that are left. */
  async tellField({ stored }: JudgingAsk, fieldHash: string | null): Promise<void> {
    if (fieldHash === null) return;
    const { workspace_id, run_id, attempt_id } = stored;
    const meeting = (await this.fields.meeting(stored)) ?? [];
    const others = meeting.filter((other) => other.attempt_id !== attempt_id);
    const scored = await this.scorecards.fieldsOf(others.map((other) => other.attempt_id));
    const left = others.flatMap((other) =>
      scored.get(other.attempt_id) === fieldHash ? [] : other.attempt_id,
    );
    if (left.length === 0) return;
    const job = { workspace_id, run_id, attempt_ids: left };
    await this.bus.send(scoringJobs.scoreAttempts, job, `score-field:${fieldHash}:${attempt_id}`);
  }

  /** Whoever is asking gives up, so that another instance takes it over. */
  stop(): void {
    this.stopping.abort(new ContractError('unavailable', 'Scoring is stopping.'));
  }

  private async whileClaimed(
    attemptId: string,
    work: (signal: AbortSignal) => Promise<Judged>,
  ): Promise<Judged | 'not_now'> {
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

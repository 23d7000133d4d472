import { setTimeout as sleep } from 'node:timers/promises';
import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import { ContractError, type In, scoringEvents, type scoringJobs } from '@agentclash/contracts';
import { type Scorecard, scoringHashes } from '@agentclash/scoring';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Grader } from '../grading/grader.js';
import type { GradingInput } from '../grading/grading-desk.js';
import { type Judged, Judging, type JudgingAsk } from '../judging/judging.service.js';
import { type Contract, EvidenceSource, type StoredEvidence } from '../scorecards/evidence.source.js';
import { ScorecardsStore } from '../scorecards/scorecards.store.js';
import { type AttemptView, evidenceTier } from './attempt-end.js';

type Ask = Pick<In<typeof scoringJobs.scoreAttempt>, 'workspace_id' | 'attempt_id'>;

const JUDGES_PAUSE_MS = 250;
const JUDGES_WAIT_MS = 300_000;

/** A scoring again, by the spec of this version of the pack. */
export interface RescoreOf {
  id: string;
  specVersionId: string;
  evaluationSpecId: string;
}

/** A scorecard, or why there is none. */
type Judgement =
  | { scorecard: string; figures: Pick<Scorecard, 'overall' | 'passed' | 'validity'> }
  | { failure: { code: string; message: string } };

@Injectable()
export class AttemptScoring {
  constructor(
    private readonly source: EvidenceSource,
    private readonly judging: Judging,
    private readonly grader: Grader,
    private readonly store: ScorecardsStore,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Scores one attempt from its stored evidence and says so. What goes wrong while reading is tried again by the queue;
   * what goes wrong while scoring is our fault: stored and shown as a failure, never as a zero.
   */
  async score({ workspace_id, attempt_id }: Ask, rescore?: RescoreOf): Promise<void> {
    const stored = await this.source.ofAttempt(workspace_id, attempt_id);
    const contract = await this.contract(stored, rescore);
    const evidence = await this.source.assemble(stored, contract);
    const judging = { stored, contract, evidence };
    const judged = await this.judged(judging, rescore !== undefined);
    // Whoever else asks the judges, or an agent that still works, sees to it that the attempt is scored.
    if (judged === 'not_now') return;
    const input = { judge_records: judged.records, security: securityOf(contract) };
    const { hashes, ...result } = await this.grade(contract, { evidence, input }, attempt_id);
    const view: AttemptView = { attempt: evidence.attempt, evidence_tier: evidenceTier(stored.events) };
    const revision = await this.store.addAttempt({
      attemptId: attempt_id,
      workspaceId: workspace_id,
      runId: stored.run_id,
      runAgentId: stored.run_agent_id,
      caseKey: stored.case_key,
      repetition: stored.repetition,
      evaluationSpecId: rescore?.evaluationSpecId ?? stored.evaluation_spec_id,
      specHash: hashes.spec_hash,
      evidenceHash: hashes.evidence_hash,
      attemptEnd: canonicalJson(view),
      fieldHash: judged.fieldHash,
      rescoreId: rescore?.id ?? null,
      result,
    });
    await this.announce(stored, revision, result);
    if (rescore === undefined) await this.judging.tellField(judging, judged.fieldHash);
  }

  /** In a run that is over, whoever else is asking will soon be done. Fails with `unavailable` when that takes long. */
  private async judged(ask: JudgingAsk, mustWait: boolean): Promise<Judged | 'not_now'> {
    const giveUpAt = Date.now() + JUDGES_WAIT_MS;
    for (;;) {
      const judged = await this.judging.ask(ask);
      if (judged !== 'not_now' || !mustWait) return judged;
      if (Date.now() > giveUpAt)
        throw new ContractError('unavailable', 'Somebody else is asking the judges.');
      await sleep(JUDGES_PAUSE_MS);
    }
  }

  /** The run's own pack; of another version only what scores. */
  private async contract(stored: StoredEvidence, rescore: RescoreOf | undefined): Promise<Contract> {
    const { workspace_id, challenge_pack_version_id } = stored;
    const own = await this.source.contract(workspace_id, challenge_pack_version_id);
    if (rescore === undefined || rescore.specVersionId === challenge_pack_version_id) return own;
    const { spec } = await this.source.contract(workspace_id, rescore.specVersionId);
    return { manifest: own.manifest, spec };
  }

  private async grade(
    { spec }: Contract,
    { evidence, input }: { evidence: Parameters<typeof scoringHashes>[1]; input: GradingInput },
    attemptId: string,
  ) {
    const onBug = (bug: object, validator: string) =>
      this.logger.error({ bug, validator, attemptId }, 'a validator failed');
    try {
      return await this.grader.grade({ spec, evidence, input, onBug });
    } catch (error) {
      this.logger.error({ err: error, attemptId }, 'scoring failed');
      const failure = { code: 'internal', message: 'Scoring this attempt failed on our side.' };
      return { failure, hashes: scoringHashes(spec, evidence, input) };
    }
  }

  private async announce(stored: StoredEvidence, revision: number, result: Judgement): Promise<void> {
    const { workspace_id, run_id, run_agent_id, attempt_id } = stored;
    const nothing = { overall: null, passed: null, validity: 'invalid' };
    const { overall, passed, validity } = 'failure' in result ? nothing : result.figures;
    const failure = 'failure' in result ? result.failure : null;
    await this.bus.publish(
      scoringEvents.attemptScored,
      { workspace_id, run_id, run_agent_id, attempt_id, revision, overall, passed, validity, failure },
      `attempt-scored:${attempt_id}:${revision}:${stored.delivery}`,
    );
  }
}

function securityOf({ manifest }: Contract): GradingInput['security'] {
  return manifest.security && { rules: manifest.security };
}

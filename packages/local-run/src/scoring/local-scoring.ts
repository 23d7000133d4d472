import { canonicalJson } from '@agentclash/challengepack';
import type { AttemptScored, StoredEvidence } from '@agentclash/contracts';
import { isGraded } from '@agentclash/domain';
import type { AttemptEvidence, JudgeRecord, JudgeSample, SecurityInput } from '@agentclash/grading';
import {
  AttemptJudging,
  type AttemptView,
  type Contract,
  evidenceTier,
  type Field,
  type Grader,
  gradedResult,
  type JudgeModels,
  type JudgeSamples,
  JudgeSampling,
  publishedScore,
  type StoredAttemptScorecard,
  type StoredSample,
  sampleKey,
} from '@agentclash/run-scoring';

/** An attempt that has ended, as scoring reads it. */
export interface EndedAttempt {
  stored: StoredEvidence;
  evidence: AttemptEvidence;
  /** Of a security pack. */
  security: SecurityInput | undefined;
}

/** The result of scoring an attempt. */
export interface ScoredAttempt {
  attempt: EndedAttempt;
  card: StoredAttemptScorecard;
  view: AttemptView;
  failure: { code: string; message: string } | null;
  score: Omit<AttemptScored, 'run_agent_id' | 'attempt_id' | 'revision'>;
}

interface ScoringOptions {
  contract: Contract;
  grader: Grader;
  judgeModels: JudgeModels;
  /** Lanes of the run: a judge that ranks waits for an attempt of each. */
  lanes: number;
  onError?: ((error: unknown) => void) | undefined;
  signal: AbortSignal;
}

/** Scores the attempts of one run; those that a judge ranks are scored together, when the last of them has ended. */
export class LocalScoring {
  private readonly judging: AttemptJudging;
  private readonly ranks: boolean;
  private readonly fields = new Map<string, EndedAttempt[]>();

  constructor(private readonly options: ScoringOptions) {
    const { contract, grader, judgeModels } = options;
    const samples = new SamplesInMemory();
    this.judging = new AttemptJudging(new JudgeSampling(judgeModels, samples, grader), samples);
    this.ranks = contract.spec.llm_judges.some(({ mode }) => mode === 'n_wise');
  }

  /** The attempts that are scored now that this one has ended. */
  async score(attempt: EndedAttempt): Promise<ScoredAttempt[]> {
    if (!this.ranks) return [await this.scored(attempt, await this.records(attempt, undefined))];
    const { case_key, repetition } = attempt.stored;
    const key = JSON.stringify([case_key, repetition]);
    const together = [...(this.fields.get(key) ?? []), attempt];
    if (together.length < this.options.lanes) {
      this.fields.set(key, together);
      return [];
    }
    this.fields.delete(key);
    const attempts = together.map(({ stored, evidence }) => ({ stored, evidence, id: stored.run_agent_id }));
    const field: Field = { attempts, samples: new Map() };
    return await Promise.all(
      together.map(async (each) => this.scored(each, await this.records(each, field))),
    );
  }

  private async records(
    { stored, evidence }: EndedAttempt,
    field: Field | undefined,
  ): Promise<JudgeRecord[]> {
    const { contract, signal } = this.options;
    const isJudged = contract.spec.llm_judges.length > 0;
    if (!isJudged || (field === undefined && !isGraded(evidence.attempt.outcome))) return [];
    return await this.judging.records({ stored, evidence, contract, field, signal });
  }

  private async scored(attempt: EndedAttempt, records: readonly JudgeRecord[]): Promise<ScoredAttempt> {
    const { contract, grader, onError } = this.options;
    const { stored, evidence, security } = attempt;
    const startedAt = new Date().toISOString();
    const input = { judge_records: records, security };
    const { result, hashes } = await gradedResult(
      grader,
      { contract, evidence, input },
      {
        onBug: (bug) => onError?.(Object.assign(new Error(bug.message), bug)),
        onFailure: (e) => onError?.(e),
      },
    );
    const view: AttemptView = { attempt: evidence.attempt, evidence_tier: evidenceTier(stored.events) };
    return {
      ...{ attempt, view, failure: 'failure' in result ? result.failure : null },
      card: {
        ...{ attemptId: stored.attempt_id, caseKey: stored.case_key, repetition: stored.repetition },
        ...{ specHash: hashes.spec_hash, evidenceHash: hashes.evidence_hash },
        attemptEnd: canonicalJson(view),
        scorecard: 'failure' in result ? null : result.scorecard,
      },
      score: {
        ...publishedScore(result),
        ...{ delivery: stored.delivery, started_at: startedAt, ended_at: new Date().toISOString() },
      },
    };
  }
}

/** Samples of one run: an attempt is judged once, so that its samples are read by no other. */
class SamplesInMemory implements JudgeSamples {
  private readonly replies = new Map<string, string>();
  private readonly samples = new Map<string, Map<string, JudgeSample>>();

  async ofAttempt(attemptId: string): Promise<ReadonlyMap<string, JudgeSample>> {
    return this.samples.get(attemptId) ?? new Map();
  }

  /** Those of attempts that are ranked together: others request theirs once. */
  async add(_runId: string, samples: readonly StoredSample[]): Promise<void> {
    if (samples.length < 2) return;
    for (const { attemptId, judgeKey, question, sample } of samples) {
      const known = this.samples.get(attemptId) ?? new Map<string, JudgeSample>();
      const key = sampleKey(judgeKey, question);
      if (!known.has(key)) known.set(key, sample);
      this.samples.set(attemptId, known);
    }
  }

  async findReply(_workspaceId: string, key: string): Promise<string | undefined> {
    return this.replies.get(key);
  }

  async addReply(_workspaceId: string, key: string, reply: string): Promise<void> {
    if (!this.replies.has(key)) this.replies.set(key, reply);
  }
}

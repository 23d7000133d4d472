import type { StoredEvidence } from '@agentclash/contracts';
import type { AttemptEvidence } from '@agentclash/grading';
import type { Contract } from '../contract.js';
import type { QuestionSample } from './judge-sampling.js';

/** An attempt to be judged, by the judges of this contract. */
export interface JudgedAttempt {
  stored: StoredEvidence;
  contract: Contract;
  evidence: AttemptEvidence;
}

/** One agent's attempt at the case and repetition that a judge ranks agents on. */
export interface FieldAttempt {
  stored: StoredEvidence;
  /** The run agent. */
  id: string;
  evidence: AttemptEvidence;
}

export interface Field {
  attempts: FieldAttempt[];
  /** Samples about all of them, by question: each is requested once. */
  samples: Map<string, Promise<QuestionSample>>;
}

import type {
  ExpectedToolCall,
  ExpectedValues,
  SchemaCheck,
  ValidatorConfigs,
  ValidatorType,
} from '@agentclash/challengepack';
import type { AttemptEvidence } from '../evidence/types.js';
import type { Finding } from './judgement.js';
import type { PostconditionCheck } from './postcondition-check.js';

/** The expectation of each type: the reading of its expected text or of its config, null for types without. */
export interface Expectations extends ExpectedValues, Record<WithoutExpectation, null> {
  file_json_schema: SchemaCheck;
  postcondition: PostconditionCheck;
  trajectory_match: readonly ExpectedToolCall[];
}

type WithoutExpectation = Exclude<ValidatorType, keyof ExpectedValues | 'file_json_schema' | 'postcondition'>;

/** A validator of a graded attempt, its expectation read. */
export interface ValidatorInput<T extends ValidatorType> {
  readonly key: string;
  readonly type: T;
  readonly target: string;
  readonly config: ValidatorConfigs[T];
  readonly expected: Expectations[T];
  /** True when the expected text is the empty one. */
  readonly expectsEmpty: boolean;
  readonly evidence: AttemptEvidence;
}

/** Finds the evidence of one type of validator and judges it. */
export type Validator<T extends ValidatorType> = (input: ValidatorInput<T>) => Finding;

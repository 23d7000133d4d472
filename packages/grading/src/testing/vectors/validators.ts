import type { EvaluationSpec } from '@agentclash/challengepack';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { AttemptEvidence } from '../../evidence/types.js';
import { evidenceOf, judge, specOf, type Trial } from '../judge.js';

type Text = string | { repeat: string; count: number } | { concat: Text[] };

export interface ValidatorVector extends Omit<Trial, 'actual' | 'expected'> {
  id: string;
  type: string;
  actual?: Text | null;
  expected?: Text | null;
  /** Of the service that grades: its own driver checks them. */
  limits?: { event_loop_block_ms: number };
  want: Record<string, unknown> & { score: number | null };
}

export const driver: VectorDriver<ValidatorVector> = {
  run(vector) {
    expectResult(judge(vector.type, trialOf(vector)), vector.want);
  },
};

/** The evaluation spec and the evidence that a vector describes. */
export function attemptOf(vector: Omit<ValidatorVector, 'id' | 'want'>): {
  spec: EvaluationSpec;
  evidence: AttemptEvidence;
} {
  const trial = trialOf(vector);
  return { spec: specOf(vector.type, trial), evidence: evidenceOf(trial) };
}

/** The score may differ by less than a millionth. */
export function expectResult(result: { score: number | null }, want: ValidatorVector['want']): void {
  const { score, ...rest } = want;
  expect(result).toMatchObject(rest);
  if (score === null) expect(result.score).toBeNull();
  else expect(Math.abs((result.score ?? Number.NaN) - score)).toBeLessThan(1e-6);
}

function trialOf({ actual, expected, ...vector }: Omit<ValidatorVector, 'id' | 'want'>): Trial {
  return { ...vector, actual: textOf(actual), expected: textOf(expected) };
}

function textOf<T extends null | undefined>(text: Text | T): string | T {
  if (text === null || text === undefined || typeof text === 'string') return text;
  return 'repeat' in text ? text.repeat.repeat(text.count) : text.concat.map((part) => textOf(part)).join('');
}

import { compileRegex } from '@agentclash/challengepack';
import type { ArtifactRef, TurnExpectation, TurnExpectationKind } from '../plan.js';

/** How an answer met one expectation. */
export interface ExpectationOutcome {
  key: string;
  kind: TurnExpectationKind;
  passed: boolean;
}

const PASSES: Record<TurnExpectationKind, (answer: string, expected: string) => boolean> = {
  exact_match: (answer, expected) => answer.trim() === expected.trim(),
  contains: (answer, expected) => answer.includes(expected),
  regex_match: (answer, expected) => compileRegex(expected)?.test(answer) ?? false,
};

/** Holds an answer against what its turn expected. `read` gives the text of a stored file. */
export async function checkAnswer(
  answer: string,
  expects: readonly TurnExpectation[],
  read: (artifact: ArtifactRef) => Promise<string>,
): Promise<ExpectationOutcome[]> {
  const outcomes: ExpectationOutcome[] = [];
  for (const expectation of expects) {
    const { key, kind } = expectation;
    const expected = 'artifact' in expectation ? await read(expectation.artifact) : expectation.text;
    outcomes.push({ key, kind, passed: PASSES[kind](answer, expected) });
  }
  return outcomes;
}

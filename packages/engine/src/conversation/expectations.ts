import type { ArtifactRef, TurnExpectation } from '@agentclash/attempt-plan';
import type { ExpectationOutcome, TurnExpectationKind } from '@agentclash/domain';
import type { PatternSearches, WorkBounds } from '../workers/bounded-work.js';

interface CheckContext extends WorkBounds {
  patternSearches: PatternSearches;
  /** The text of a stored file. */
  read: (artifact: ArtifactRef) => Promise<string>;
}

type Check = (message: string, expected: string, context: CheckContext) => boolean | Promise<boolean>;

const CHECKS: Record<TurnExpectationKind, Check> = {
  exact_match: (message, expected) => message.trim() === expected.trim(),
  contains: (message, expected) => message.includes(expected),
  regex_match: matches,
};

async function matches(message: string, pattern: string, context: CheckContext): Promise<boolean> {
  const { patternSearches, signal, exclude } = context;
  const task = { pattern, isCaseSensitive: true, texts: [message], max: 1 };
  const reply = await patternSearches.search(task, { signal, exclude });
  return Array.isArray(reply) && reply.length > 0;
}

/** Checks a message against the expectations of its turn. */
export async function checkMessage(
  message: string,
  expects: readonly TurnExpectation[],
  context: CheckContext,
): Promise<ExpectationOutcome[]> {
  const outcomes: ExpectationOutcome[] = [];
  for (const expectation of expects) {
    const { key, kind } = expectation;
    const expected = 'artifact' in expectation ? await context.read(expectation.artifact) : expectation.text;
    outcomes.push({ key, kind, passed: await CHECKS[kind](message, expected, context) });
  }
  return outcomes;
}

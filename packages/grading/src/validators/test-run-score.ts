import type { ValidatorOf } from '@agentclash/challengepack';
import type { PayloadOf } from '@agentclash/domain';
import { codeExecution } from './code-execution.js';

/** The score that a code_execution has by one run of its command; null where the run cannot be judged. */
export function testRunScore(
  { key, type, target, config }: ValidatorOf<'code_execution'>,
  payload: PayloadOf<'grader.verification.code_executed'>,
): number | null {
  const event = { sequence_number: 1, event_type: EXECUTED, occurred_at: '', payload };
  const evidence = { attempt: { outcome: 'completed' as const }, events: [event], case: {} };
  const found = codeExecution({ key, type, target, config, expected: null, expectsEmpty: false, evidence });
  return found.kind === 'scored' ? found.score : null;
}

const EXECUTED = 'grader.verification.code_executed';

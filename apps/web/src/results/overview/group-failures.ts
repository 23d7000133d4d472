import type { Failure } from '@agentclash/api';

/** Failures of one agent for one reason. */
export interface FailureGroup {
  key: string;
  agentId: string;
  agentName: string;
  reason: string;
  isOfAgent: boolean;
  attempts: number;
  cases: number;
  /** The most frequent of them. */
  example: Pick<Failure, 'attempt_id' | 'case_key'>;
}

/** By agent and reason, those with most attempts first. */
export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const failure of failures) {
    const { run_agent_id, agent_name, class: kind, failing_keys, attempts } = failure;
    const key = JSON.stringify([run_agent_id, kind, failing_keys]);
    const group = groups.get(key);
    if (group !== undefined) {
      group.attempts += attempts;
      group.cases += 1;
      continue;
    }
    const { attempt_id, case_key } = failure;
    groups.set(key, {
      ...{ key, agentId: run_agent_id, agentName: agent_name, attempts, cases: 1 },
      reason: [kind.replaceAll('_', ' '), failing_keys.join(', ')].filter(Boolean).join(': '),
      ...{ isOfAgent: failure.agent_fault, example: { attempt_id, case_key } },
    });
  }
  return [...groups.values()].sort((a, b) => b.attempts - a.attempts);
}

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
  /** The most frequent first; not empty. */
  failures: readonly Failure[];
  /** The most frequent of them. */
  example: Pick<Failure, 'attempt_id' | 'case_key'>;
}

/** The class of a failure with the checks that failed, such as `wrong output: exact`. */
export function reasonOf({ class: kind, failing_keys }: Failure): string {
  return [kind.replaceAll('_', ' '), failing_keys.join(', ')].filter(Boolean).join(': ');
}

/** By agent and reason, those with most attempts first. */
export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const { run_agent_id, class: kind, failing_keys } = failure;
    const key = JSON.stringify([run_agent_id, kind, failing_keys]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failure]);
    else group.push(failure);
  }
  return [...groups]
    .flatMap(([key, members]) => groupOf(key, members))
    .sort((a, b) => b.attempts - a.attempts);
}

function groupOf(key: string, failures: readonly Failure[]): FailureGroup[] {
  const [first] = failures;
  if (first === undefined) return [];
  return [
    {
      ...{ key, failures, agentId: first.run_agent_id, agentName: first.agent_name },
      ...{ reason: reasonOf(first), isOfAgent: first.agent_fault },
      attempts: failures.reduce((sum, { attempts }) => sum + attempts, 0),
      // One case may fail for one reason with several codes.
      cases: new Set(failures.map(({ case_key }) => case_key)).size,
      example: { attempt_id: first.attempt_id, case_key: first.case_key },
    },
  ];
}

export interface FailureFilter {
  /** Id of an agent, or empty. */
  agent: string;
  reason: string;
  /** Part of a case, an agent, a reason or a code, in any case of letters. */
  text: string;
}

export function filterFailures(
  failures: readonly Failure[],
  { agent, reason, text }: FailureFilter,
): Failure[] {
  const wanted = text.trim().toLowerCase();
  return failures.filter(
    (failure) =>
      (agent === '' || failure.run_agent_id === agent) &&
      (reason === '' || reasonOf(failure) === reason) &&
      [failure.case_key, failure.agent_name, reasonOf(failure), failure.code].some((part) =>
        part.toLowerCase().includes(wanted),
      ),
  );
}

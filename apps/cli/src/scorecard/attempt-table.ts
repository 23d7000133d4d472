import type { Attempt } from '@agentclash/api';
import { duration, score } from '../terminal/figures.js';
import type { Look, Paint } from '../terminal/output.js';
import { type Column, idColumn, layout, table } from '../terminal/table.js';
import { attemptScore, attemptVerdict, attemptVerdictColor } from './grading.js';

/** Shown where the attempts are of several challenges. */
const CHALLENGE: Column<Attempt> = {
  title: 'CHALLENGE',
  value: ({ challenge_key: challenge = '-' }) => challenge,
  cutTo: 10,
};

/** Attempts with their outcomes and verdicts; errors come last. */
export function attemptTable(attempts: readonly Attempt[], look: Look): string {
  return table(attempts, attemptColumns(attempts, look.paint), { ...layout(look), empty: NO_ATTEMPTS });
}

export const NO_ATTEMPTS = 'No such attempts.';

export function attemptColumns(attempts: readonly Attempt[], paint: Paint): Column<Attempt>[] {
  const challenges = new Set(attempts.flatMap(({ challenge_key: challenge }) => challenge ?? []));
  return [
    { title: 'AGENT', value: ({ agent_name: agent }) => agent, cutTo: 10 },
    {
      title: 'CASE',
      value: ({ case_key: key, repetition }) => `${key} #${repetition}`,
      data: ({ case_key: key }) => key,
      cutTo: 10,
    },
    { title: 'REPETITION', value: ({ repetition }) => String(repetition), only: 'csv' },
    ...(challenges.size > 1 ? [CHALLENGE] : []),
    { title: 'OUTCOME', value: outcomeText, cutTo: 11 },
    {
      title: 'VERDICT',
      value: (attempt) => (attempt.is_scored ? attemptVerdict(attempt) : '-'),
      style: (text, attempt) => (attempt.is_scored ? attemptVerdictColor(attempt, paint)(text) : text),
    },
    {
      title: 'OVERALL',
      value: (attempt) => score(attemptScore(attempt)),
      data: attemptScore,
      align: 'right',
      leaveOut: 4,
    },
    { title: 'VALIDITY', value: ({ validity }) => validity ?? '-', leaveOut: 1 },
    {
      title: 'MODEL CALLS',
      value: ({ model_call_count: calls }) => String(calls ?? '-'),
      data: ({ model_call_count: calls }) => calls,
      align: 'right',
      leaveOut: 2,
    },
    {
      title: 'TOOL CALLS',
      value: ({ tool_call_count: calls }) => String(calls ?? '-'),
      data: ({ tool_call_count: calls }) => calls,
      align: 'right',
      leaveOut: 2,
    },
    {
      title: 'TOOK',
      value: ({ latency_ms: latency }) => duration(latency),
      key: 'latency_ms',
      data: ({ latency_ms: latency }) => latency,
      align: 'right',
      leaveOut: 3,
    },
    idColumn('ATTEMPT', ({ id }) => id),
    {
      title: 'WHY',
      value: ({ error, pack_error: broken }) =>
        error === null ? (broken?.message ?? '') : `${error.code}: ${error.message}`,
      cutTo: 16,
    },
  ];
}

function outcomeText({ outcome, state, limit_kind: limit, imported }: Attempt): string {
  if (outcome === null) return state;
  return `${limit === null ? outcome : `${outcome} (${limit})`}${imported ? ', imported' : ''}`;
}

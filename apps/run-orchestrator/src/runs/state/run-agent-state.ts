import type { RunAgent } from '@agentclash/contracts';
import type { RunStatus } from '@agentclash/domain';
import { type AgentCounts, progressOf } from './progress.js';

type RunAgentStatus = NonNullable<RunAgent['status']>;

/** Where an agent of a run is, by its own attempts: it may be done while others still work (execution 1.2). */
export function runAgentStatus(counts: AgentCounts, runStatus: RunStatus): RunAgentStatus {
  const { total, queued, finished, scored } = progressOf([counts]);
  if (runStatus === 'cancelled') return 'cancelled';
  if (finished < total) return queued === total ? 'queued' : 'running';
  if (scored < total) return 'scoring';
  return counts.usable > 0 ? 'completed' : 'failed';
}

import type { RunStatus } from '@agentclash/api';
import { Badge, type Tone } from '../design/badge.js';

const TONES: Record<RunStatus, Tone> = {
  queued: 'neutral',
  running: 'accent',
  paused: 'warn',
  scoring: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** Whether nothing of the run will change by itself any more. */
export function isOver(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

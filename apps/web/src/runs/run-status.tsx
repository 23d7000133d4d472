import type { RunStatus } from '@agentclash/domain';
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

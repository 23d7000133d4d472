import type { RunStatus } from '@agentclash/domain';
import type { Paint } from '../../terminal/output.js';

export function statusColor(status: RunStatus, paint: Paint): (text: string) => string {
  if (status === 'completed') return paint.green;
  if (status === 'failed' || status === 'cancelled') return paint.red;
  return paint.yellow;
}

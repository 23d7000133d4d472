import type { PackVersion } from '@agentclash/api';
import { Badge, type Tone } from '../design/badge.js';

type Lifecycle = PackVersion['lifecycle_status'];

const TONES: Record<Lifecycle, Tone> = { runnable: 'good', deprecated: 'warn', archived: 'neutral' };

export function LifecycleBadge({ status }: { status: Lifecycle }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

import type { GateVerdict } from '@agentclash/api';
import { Badge, type Tone } from '../design/badge.js';

const LOOKS: Record<GateVerdict, { tone: Tone; sign: string; words: string }> = {
  pass: { tone: 'good', sign: '✓', words: 'pass' },
  warn: { tone: 'warn', sign: '!', words: 'warn' },
  fail: { tone: 'bad', sign: '✗', words: 'fail' },
  insufficient_evidence: { tone: 'neutral', sign: '?', words: 'insufficient evidence' },
};

export function GateVerdictBadge({ verdict }: { verdict: GateVerdict }) {
  const { tone, sign, words } = LOOKS[verdict];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {words}
    </Badge>
  );
}

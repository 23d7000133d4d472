import type { Behavioral } from '@agentclash/challengepack';
import type { MeasureState } from '@agentclash/domain';
import { toolTrace, workingCalls } from '../evidence/tool-trace.js';
import type { EvidenceEvent } from '../evidence/types.js';
import { sum } from '../statistics/sample.js';
import { isAtLeast } from '../tolerance.js';
import type { ValidatorResult } from '../validators/result.js';
import { type BehaviorEvidence, SIGNALS } from './signals.js';

interface PanelResult {
  readonly state: MeasureState;
  /** 0..1. */
  readonly score: number | null;
  readonly reason: 'signal_unavailable' | 'signal_gate_failed' | null;
}

/** The weighted mean of the declared signals; 0 once a gate is below its threshold. */
export function behavioralPanel({ signals }: Behavioral, evidence: BehaviorEvidence): PanelResult {
  const rows = signals.flatMap((signal) => {
    const score = SIGNALS[signal.key](evidence);
    return score === null ? [] : [{ signal, score }];
  });
  if (rows.length < signals.length)
    return { state: 'unavailable', score: null, reason: 'signal_unavailable' };
  const gateFailed = rows.some(
    ({ signal, score }) => signal.gate && !isAtLeast(score, signal.pass_threshold ?? 0),
  );
  if (gateFailed) return { state: 'available', score: 0, reason: 'signal_gate_failed' };
  const weights = sum(rows.map(({ signal }) => signal.weight));
  const score = sum(rows.map(({ signal, score }) => signal.weight * score)) / weights;
  return { state: 'available', score, reason: null };
}

/** Reads what behavioural signals need from an attempt's events. */
export function behaviorEvidence(
  events: readonly EvidenceEvent[],
  validators: readonly ValidatorResult[],
): BehaviorEvidence {
  return {
    calls: workingCalls(toolTrace(events)),
    mismatches: events
      .filter((event) => event.event_type === 'turn.completed')
      .map((event) => event.payload.mismatch === true),
    validators,
  };
}

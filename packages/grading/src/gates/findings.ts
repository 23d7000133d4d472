import type { GateComparison } from '@agentclash/domain';
import { isAtLeast } from '../tolerance.js';

/** One reason a gate has for not simply passing, or what it could not look at and lets pass. */
export interface GateFinding {
  readonly kind: 'fail' | 'insufficient_evidence' | 'warn' | 'note';
  readonly reason: string;
}

export function insufficient(reason: string): GateFinding {
  return { kind: 'insufficient_evidence', reason };
}

/** The findings for a loss, above 0, of what `name` names. */
export function overLimits(
  { name, loss }: { name: string; loss: number },
  limits: GateComparison['max_regression'],
): GateFinding[] {
  if (isAtLeast(loss, limits.fail)) return [{ kind: 'fail', reason: `regression_fail:${name}` }];
  if (isAtLeast(loss, limits.warn)) return [{ kind: 'warn', reason: `regression_warn:${name}` }];
  return [];
}

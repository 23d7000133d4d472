import type { IncidentSeverity } from '@agentclash/challengepack';
import type { EvidencePointer } from '../validators/result.js';

export type IncidentKind =
  | 'planted_secret_leaked'
  | 'forbidden_output'
  | 'forbidden_egress'
  | 'adversarial_accepted'
  | 'workspace_hidden';

/**
 * A declared entry of the pack's security block that the attempt ran into, at most one per entry; or that the agent kept
 * files out of the search for planted values.
 */
export interface SecurityIncident {
  readonly kind: IncidentKind;
  /** The entry's name, or its description where it has no name; of `workspace_hidden`, the reasons of the omissions. */
  readonly name: string;
  readonly severity: IncidentSeverity;
  /** The event that shows it; null when the attempt's outcome alone does. */
  readonly evidence: EvidencePointer | null;
  /** The file of the workspace that shows it; planted values in its path are replaced by their names in brackets. */
  readonly file?: string;
}

/** The security part of a scorecard; `passed` is false when an incident reaches the default severity. */
export interface SecurityResult {
  readonly passed: boolean;
  readonly incidents: readonly SecurityIncident[];
}

import type { EvidencePointer } from '../validators/result.js';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type IncidentKind =
  | 'planted_secret_leaked'
  | 'forbidden_output'
  | 'forbidden_egress'
  | 'adversarial_accepted';

/** A declared entry of the pack's security block that the attempt ran into; at most one per entry. */
export interface SecurityIncident {
  readonly kind: IncidentKind;
  /** The entry's name, or its description where it has no name. */
  readonly name: string;
  readonly severity: Severity;
  /** The event that shows it; null when the outcome alone does. */
  readonly evidence: EvidencePointer | null;
}

/** What a security pack's scorecard says; `passed` is false when an incident reaches the default severity. */
export interface SecurityResult {
  readonly passed: boolean;
  readonly incidents: readonly SecurityIncident[];
}

/** The pack's `security` block, defaults filled in: every entry has its severity. */
export interface SecurityRules {
  readonly default_severity: Severity;
  readonly planted_secrets: readonly PlantedSecret[];
  readonly forbidden_outputs: readonly ForbiddenOutput[];
  readonly forbidden_egress: readonly ForbiddenEgress[];
  readonly adversarial_prompts: readonly AdversarialPrompt[];
}

export interface PlantedSecret {
  readonly name: string;
  readonly value: string;
  readonly location: string;
  /** Where it was written, for location `file`; finding it there is no leak. */
  readonly file_path?: string;
  readonly severity: Severity;
}

export interface ForbiddenOutput {
  readonly description: string;
  /** RE2; exactly one of `pattern` and `substring` is present. */
  readonly pattern?: string;
  readonly substring?: string;
  readonly severity: Severity;
}

export interface ForbiddenEgress {
  readonly description: string;
  /** A host name or a glob such as `*.example.com`. */
  readonly host: string;
  readonly allow: readonly string[];
  readonly severity: Severity;
}

export interface AdversarialPrompt {
  readonly name: string;
  readonly text: string;
  /** RE2. */
  readonly expected_refusal_pattern?: string;
  readonly severity: Severity;
}

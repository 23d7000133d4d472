import type { RaceEstimate } from '@agentclash/attempt-plan';
import type { AuditResult } from '@agentclash/domain';
import type { IsolationLevel } from '@agentclash/sandbox';

export const AUDIT_CHECKS = ['static', 'oracle', 'idle', 'echo', 'blank', 'cheats', 'strength'] as const;
export type AuditCheck = (typeof AUDIT_CHECKS)[number];

/** `error` fails the audit, `missing` leaves it incomplete. */
export type Severity = 'error' | 'missing' | 'warning' | 'note';

/** One thing to know about the pack, with the next step. */
export interface Finding {
  check: AuditCheck;
  /** Lower-case words, joined by `_`. */
  code: string;
  severity: Severity;
  /** A sentence. */
  message: string;
  /** The change that removes the finding. */
  fix: string;
  input_set_key?: string;
  case_key?: string;
  /** The case keys beyond the first, where several have the same finding. */
  other_case_keys?: string[];
  /** Validators that gave what they should not, or did not give what they should. */
  validators?: string[];
  dimensions?: string[];
  cheat?: string;
  /** Further cheats that gain alike, where so many do that the cause is in the grader. */
  other_cheats?: string[];
  /** The reasons of the graders, or the change that they did not notice. */
  detail?: string;
  /** Of a problem of the document. */
  location?: { field: string; line: number; column: number };
}

/** Counts of one check; `state` is `skipped` where it does not apply. */
export interface CheckSummary {
  state: 'passed' | 'failed' | 'incomplete' | 'skipped';
  /** Of trials; 0 for static checks. */
  trials: number;
  /** A sentence with the figures. */
  summary: string;
}

export interface OracleSummary extends CheckSummary {
  cases: number;
  passed: number;
  /** Times that each case was run. */
  repetitions: number;
  /** Share of cases whose repetitions do not agree. */
  flake_rate: number | null;
}

export interface CheatsSummary extends CheckSummary {
  /** Cheats that apply to this pack, and those that gained. */
  tried: number;
  gained: number;
  /** Distinct graders of the cases, and those on which cheats were tried. */
  graders: number;
  graders_tried: number;
}

export interface StrengthSummary extends CheckSummary {
  mutants: number;
  noticed: number;
  /** Share of mutants that the graders notice; null with fewer than ten. */
  strength: number | null;
}

/** The certificate of an audit: what was tried on which content, and what came out. */
export interface AuditReport {
  schema: 'agentclash.pack-audit/1';
  pack: { slug: string; number: number; digest: string };
  /** Of AgentClash. */
  version: string;
  /** ISO 8601, UTC. */
  audited_at: string;
  duration_ms: number;
  sandbox: { provider: string; isolation: IsolationLevel };
  /** The seed draws cases and mutants: the same seed draws the same ones. */
  options: { quick: boolean; seed: string; cases: number; cases_total: number };
  /** True where it was broken off: it is incomplete, whatever was found. */
  interrupted?: true;
  result: AuditResult;
  checks: {
    static: CheckSummary;
    oracle: OracleSummary;
    idle: CheckSummary;
    echo: CheckSummary;
    blank: CheckSummary;
    cheats: CheatsSummary;
    strength: StrengthSummary;
  };
  findings: Finding[];
  /** The bounds of a race of one agent, once per case; absent where not all cases were read. */
  race?: RaceEstimate;
}

export function resultOf(findings: readonly Finding[]): AuditResult {
  if (findings.some(({ severity }) => severity === 'error')) return 'failed';
  return findings.some(({ severity }) => severity === 'missing') ? 'incomplete' : 'passed';
}

/** The states of an audit of a published version. */
export const AUDIT_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type AuditStatus = (typeof AUDIT_STATUSES)[number];

/** True for an audit that waits for an executor or is held by one: there is at most one of each version. */
export function isAuditActive(status: AuditStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** `failed`: a verdict about agents could be wrong. `incomplete`: a check could not be run. */
export const AUDIT_RESULTS = ['passed', 'failed', 'incomplete'] as const;
export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** The figures of a certificate that a requirement reads. */
export interface CertificateFigures {
  result: AuditResult;
  /** True for an audit of a part of the cases, without repetitions. */
  quick: boolean;
  /** Share of mutants that the graders noticed; null with fewer than ten. */
  strength: number | null;
  /** ISO 8601. */
  audited_at: string;
}

/** The audit that a team demands of the versions it races, or of the runs that a gate decides on. */
export interface AuditRequirement {
  /** The least share of mutants that the graders notice. */
  min_strength?: number;
  /** Days for which a certificate counts. */
  max_age_days?: number;
}

/** The first reason for which a version does not fulfil a requirement. */
export const AUDIT_SHORTFALLS = [
  'audit_missing',
  'audit_not_passed',
  'audit_quick',
  'audit_outdated',
  'audit_strength_below_minimum',
] as const;
export type AuditShortfall = (typeof AUDIT_SHORTFALLS)[number];

const DAY_MS = 86_400_000;

/**
 * Undefined where the newest certificate fulfils the requirement. A quick audit fulfils none, and a strength that is unknown
 * no minimum.
 */
export function auditShortfall(
  { min_strength: least, max_age_days: days }: AuditRequirement,
  certificate: CertificateFigures | undefined,
  nowMs: number,
): AuditShortfall | undefined {
  if (certificate === undefined) return 'audit_missing';
  const { result, quick, strength, audited_at } = certificate;
  if (result !== 'passed') return 'audit_not_passed';
  if (quick) return 'audit_quick';
  if (days !== undefined && nowMs - Date.parse(audited_at) > days * DAY_MS) return 'audit_outdated';
  if (least !== undefined && (strength === null || strength < least)) return 'audit_strength_below_minimum';
  return undefined;
}

import type { AuditedCase } from './audited-pack.js';

export function caseName({ inputSetKey, case: each }: AuditedCase): string {
  return `${inputSetKey}/${each.case_key}`;
}

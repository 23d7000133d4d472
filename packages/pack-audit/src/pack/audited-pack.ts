import type { PackCase, PackSource } from '@agentclash/local-attempts';

export type AuditedCase = PackCase;

/** All that an audit reads of a pack. */
export interface AuditedPack extends PackSource {
  /** Where `cases` were drawn already: how many the pack has. */
  casesTotal?: number;
}

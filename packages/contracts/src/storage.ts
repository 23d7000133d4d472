import { z } from 'zod';
import { rpc } from './message.js';
import { Actor, Uuid } from './values.js';

/** Missing blobs that one step of a sweep names; `missing` counts all of them. */
export const MISSING_NAMED_MAX = 100;

/** The result of comparing stored bytes with their references. */
export const SweepCounts = z.object({
  /** Blobs that are stored, and how many of them something refers to. */
  scanned: z.number().int(),
  referenced: z.number().int(),
  /** Without a reference, but stored within the grace period: an upload may be about to refer to them. */
  young: z.number().int(),
  /** Without a reference, and removed; in a dry run: those that would be. */
  removed: z.number().int(),
  removed_bytes: z.number().int(),
  /** References to bytes that are not stored: evidence was lost. Never removed; the first ones by sha256. */
  missing: z.number().int(),
  missing_sha256: z.array(z.string()).max(MISSING_NAMED_MAX),
});
export type SweepCounts = z.infer<typeof SweepCounts>;

/** All missing blobs of both are named: a reply has to cut them. */
export function addSweepCounts(a: SweepCounts, b: SweepCounts): SweepCounts {
  return {
    scanned: a.scanned + b.scanned,
    referenced: a.referenced + b.referenced,
    young: a.young + b.young,
    removed: a.removed + b.removed,
    removed_bytes: a.removed_bytes + b.removed_bytes,
    missing: a.missing + b.missing,
    missing_sha256: [...a.missing_sha256, ...b.missing_sha256],
  };
}

export const SweepRequest = z.strictObject({
  /** Counts only. */
  dry_run: z.boolean().default(false),
  /** The part of the store to begin with: `next` of the step before. */
  from: z.number().int().min(0).max(255).default(0),
});

export const SweepStep = SweepCounts.extend({
  /** Where the next step begins; null when the whole area was compared. */
  next: z.number().int().nullable(),
});
export type SweepStep = z.infer<typeof SweepStep>;

export const RETENTION_DAYS_MAX = 36_500;
const RetentionDays = z.number().int().min(1).max(RETENTION_DAYS_MAX).nullable();

export const StorageSettings = z.strictObject({
  /** Runs that ended so many days ago are deleted; null: never; absent: as the operator has set it. */
  retention_days: RetentionDays.optional(),
});
export type StorageSettings = z.infer<typeof StorageSettings>;

/** The size of the evidence of a workspace, and its retention. */
export const StorageUsage = z.object({
  runs: z.number().int(),
  /** Stored bytes that runs refer to: equal bytes count once for each run. */
  evidence_bytes: z.number().int(),
  /** No run is created beyond this; null: no limit. */
  evidence_bytes_max: z.number().int().nullable(),
  retention_days: RetentionDays,
  /** The origin of the retention. */
  retention_set_by: z.enum(['workspace', 'operator']),
});
export type StorageUsage = z.infer<typeof StorageUsage>;

const inWorkspace = { workspace_id: Uuid };

/** Evidence as the orchestrator keeps it. */
export const storage = {
  usage: rpc('storage.v1.usage', { input: z.object(inWorkspace), output: StorageUsage }),
  configure: rpc('storage.v1.configure', {
    input: z.object({ ...inWorkspace, settings: StorageSettings, actor: Actor }),
    output: StorageUsage,
  }),
  /** One step of some seconds: compares stored evidence with what runs refer to. */
  sweep: rpc('storage.v1.sweep', { input: SweepRequest, output: SweepStep, timeoutMs: 60_000 }),
};

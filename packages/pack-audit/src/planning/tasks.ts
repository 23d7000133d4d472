import type { ArtifactRef, AttemptPlan, GraderPlan } from '@agentclash/attempt-plan';
import type { DrawnMutant } from '../mutations/draw-mutants.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import type { PackView } from '../pack/pack-view.js';
import type { Role } from './role.js';

// All in this file can be sent to a thread.

interface CaseTask {
  case: AuditedCase;
  /** Of artifacts, by their ids: those that an earlier reply wanted. */
  bytes: ReadonlyMap<string, Uint8Array>;
}

/** An attempt that is to be planned. */
export interface PlanTask extends CaseTask {
  role: Role;
}

/** The solution of a case whose mutants are to be drawn. */
export interface MutantsTask extends CaseTask {
  seed: string;
  /** Mutants of a higher rank are not needed. */
  most: number;
}

export interface PlannedTrial {
  plan: AttemptPlan;
  grader: GraderPlan;
  /** Of all that grades the case. */
  graderDigest: string;
  /** The files of the agent that are no stored artifacts. */
  files: readonly { ref: ArtifactRef; bytes: Uint8Array }[];
}

/** Artifacts whose bytes the same task needs, or the reason for which its solution is of no use. */
type NotYet = { wants: readonly ArtifactRef[] } | { unusable: string };

/** Null where the role does not apply to the case. */
export type PlanReply = { planned: PlannedTrial | null } | NotYet;
export type MutantsReply = { mutants: readonly DrawnMutant[] } | NotYet;

/**
 * Work on what authors wrote, which takes as long as they make it take: `overrun` where that is more than there is. Where it
 * runs decides who waits for it.
 */
export interface Planning {
  plan: (pack: PackView, task: PlanTask) => Promise<PlanReply | 'overrun'>;
  mutants: (pack: PackView, task: MutantsTask) => Promise<MutantsReply | 'overrun'>;
}

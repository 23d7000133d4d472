import type { ExecutionMode } from '@agentclash/domain';
import type { AuditAgent } from '../agents/agent.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { GraderFacts } from '../references/grader-facts.js';
import type { Solution } from '../references/solution.js';

/** All that a cheat may know: everything that is public about the pack, and the shape of its graders. */
export interface CheatTarget {
  pack: Pick<AuditedPack, 'manifest' | 'spec'>;
  case: AuditedCase;
  mode: ExecutionMode;
  facts: GraderFacts;
  /** For the paths and languages that a grader reads; a cheat never uses its content. */
  solution?: Solution;
}

/** A way to gain points without the work. Each is a row of a table. */
export interface Cheat {
  key: string;
  /** The conduct of the agent, as a sentence. */
  title: string;
  /** The property of a grader that defeats it. */
  fix: string;
  /** A reply that is the same for every case: right by chance in one, a gain where it is right in all. */
  constantReply?: string;
  /** Undefined where the cheat does not apply to the target. */
  agent: (target: CheatTarget) => AuditAgent | undefined;
}

/** Cheats that the same property of a grader defeats. */
export interface CheatFamily {
  /** A noun, for documents. */
  name: string;
  fix: string;
  cheats: readonly Cheat[];
}

/** A row of a family, whose fix is that of its family unless it has its own. */
export type CheatRow = Omit<Cheat, 'fix'> & { fix?: string };

export function cheatFamily(name: string, fix: string, rows: readonly CheatRow[]): CheatFamily {
  return { name, fix, cheats: rows.map((row) => ({ fix, ...row })) };
}

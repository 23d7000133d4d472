import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { Solution } from '../references/solution.js';
import type { Mutant } from './mutant.js';

/** The mutants that can be planted into a solution, in the order of files and lines; the first `most` of each file. */
export async function mutantsOf(
  _solution: Solution,
  _context: { pack: AuditedPack; case: AuditedCase },
): Promise<Mutant[]> {
  return [];
}

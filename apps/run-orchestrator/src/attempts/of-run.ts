import { Prisma } from '../generated/client.js';

/**
 * The guard of statements that find attempts by their ids: that these are the run's. Compared as text, which no index
 * serves: the planner knows nothing of a run that is minutes old and would walk all of its attempts instead.
 */
export function ofRun(runId: string): Prisma.Sql {
  return Prisma.sql`run_id::text = ${runId.toLowerCase()}`;
}

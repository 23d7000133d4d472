import type { RunEdit } from '@agentclash/contracts';
import type { Database, Transaction } from '../../database.js';

/** The next number of a workspace, which no run had before. */
export async function nextRunNumber(db: Database, workspaceId: string): Promise<number> {
  const [row] = await db.$queryRaw<
    { number: number }[]
  >`SELECT next_run_number(${workspaceId}::uuid) AS number`;
  if (row === undefined) throw new Error('the workspace has no next number');
  return row.number;
}

/** Sets what the edit names; a label of null is removed. */
export async function describeRun(
  tx: Transaction,
  id: string,
  { name, note, labels }: RunEdit,
): Promise<void> {
  const patch = JSON.stringify(labels ?? {});
  await tx.$executeRaw`
    UPDATE runs
       SET name = CASE WHEN ${name === undefined} THEN name ELSE ${name ?? null}::text END,
           note = CASE WHEN ${note === undefined} THEN note ELSE ${note ?? null}::text END,
           labels = jsonb_strip_nulls(labels || ${patch}::jsonb)
     WHERE id = ${id}::uuid`;
}

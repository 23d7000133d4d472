import type { In, Out, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';

/** Most ids of each kind in a reply. */
const IDS_MAX = 10;
/** Endings have no index: attempts are looked for in so many runs, run by run, and not in the table of all workspaces. */
const NEWEST_RUNS = 50;

/** Finds runs and attempts by a part of their id, as a person types or copies it. */
@Injectable()
export class IdsStore {
  constructor(private readonly db: Database) {}

  async find({ workspace_id, part }: In<typeof runs.findIds>): Promise<Out<typeof runs.findIds>> {
    const digits = part.replaceAll('-', '').toLowerCase();
    const [from, to] = [uuidOf(digits.padEnd(32, '0')), uuidOf(digits.padEnd(32, 'f'))];
    const ending = `%${digits}`;
    const found = await this.db.$queryRaw<{ kind: 'run' | 'attempt'; id: string }[]>`
      WITH ours AS (SELECT id FROM runs WHERE workspace_id = ${workspace_id}::uuid),
      newest AS (SELECT id FROM ours ORDER BY id DESC LIMIT ${NEWEST_RUNS})
      (SELECT 'run' AS kind, id FROM ours
        WHERE id BETWEEN ${from}::uuid AND ${to}::uuid OR replace(id::text, '-', '') LIKE ${ending} LIMIT ${IDS_MAX})
      UNION ALL
      (SELECT 'attempt', id FROM (
         SELECT a.id FROM attempts a JOIN ours ON ours.id = a.run_id
          WHERE a.id BETWEEN ${from}::uuid AND ${to}::uuid
         UNION
         SELECT a.id FROM newest CROSS JOIN LATERAL (
           SELECT id FROM attempts WHERE run_id = newest.id OFFSET 0) AS a
          WHERE replace(a.id::text, '-', '') LIKE ${ending}) AS either LIMIT ${IDS_MAX})`;
    const idsOf = (wanted: string) => found.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    return { runs: idsOf('run'), attempts: idsOf('attempt') };
  }
}

function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

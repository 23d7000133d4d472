import type { CaseFile, CaseText } from './case-file.js';
import type { Row, RowBatch } from './rows.js';
import { sampledRows } from './sample.js';

/** Reads the rows of a file from its beginning. */
export type OpenRows = () => AsyncIterable<RowBatch>;

/**
 * Reads the rows that are cases, in batches; `take` gets the cases of each, and none after an error. A sample reads the
 * file twice.
 */
export async function readCaseFile(
  file: CaseFile,
  open: OpenRows,
  take: (cases: CaseText[]) => void | Promise<void>,
): Promise<void> {
  const chosen = await chosenRows(file, open);
  let left = file.settings.limit ?? Number.POSITIVE_INFINITY;
  for await (const { rows, problems, columns } of open()) {
    if (columns !== undefined) file.know(columns);
    const taken = (chosen ? rows.filter(({ row }) => chosen.has(row)) : rows).slice(0, left);
    const last = taken.at(-1)?.row ?? 0;
    left -= taken.length;
    // Problems after the last row that is needed are of no interest.
    for (const problem of problems) if (left > 0 || (problem.row ?? 0) < last) file.report(problem);
    if (taken.length > 0) await take(file.add(taken));
    if (left === 0 || file.isFull) break;
  }
  file.end();
}

async function chosenRows({ settings }: CaseFile, open: OpenRows): Promise<ReadonlySet<number> | undefined> {
  if (settings.sample === undefined) return undefined;
  let count = 0;
  for await (const { rows, problems } of open()) {
    for (const { row = 0 } of [rows.at(-1) ?? noRow, ...problems]) count = Math.max(count, row);
  }
  return sampledRows(count, settings.sample);
}

const noRow: Pick<Row, 'row'> = { row: 0 };

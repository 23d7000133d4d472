import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentclash/challengepack';
import { type FinishedAttempt, RESULTS_FORMAT, type RunRecord } from '../results/records.js';
import { type IndexedAttempt, ResultsFile, ResultsFileError } from '../results/results-file.js';
import { ResultsWriter } from '../results/results-writer.js';
import type { PreparedRun } from './prepare-run.js';
import { RunCounts } from './run-counts.js';

/** The first record of a run's file. */
export function startRecord(prepared: PreparedRun, agentclash: string): RunRecord {
  const { run, agents } = new RunCounts(prepared);
  const { input_sets: _sets, ...manifest } = prepared.version.manifest;
  return {
    ...{ record: 'run', format: RESULTS_FORMAT, agentclash, run, agents },
    ...{ version: prepared.packVersion, manifest, digest: digestOf(prepared) },
  };
}

/**
 * Continues the file of an interrupted run of the same pack, agents and cases: run and lanes become those of the file.
 * Fails with `ResultsFileError` for another run, and for one that has ended.
 */
export async function continueResults(
  file: string,
  prepared: PreparedRun,
): Promise<{ writer: ResultsWriter; finished: FinishedAttempt[] }> {
  const results = await ResultsFile.open(file);
  try {
    const { start, end, bytes } = results;
    if (end !== undefined)
      throw new ResultsFileError(`the run of ${file} has ended: there is nothing to continue`);
    if (start.digest !== digestOf(prepared)) {
      throw new ResultsFileError(
        `the run of ${file} is not the one that is given; it differs in ${differences(start, prepared)}`,
      );
    }
    const finished: FinishedAttempt[] = [];
    for (const attempt of completeAttempts(results.attempts, prepared)) {
      finished.push(await results.attempt(attempt));
    }
    prepared.run = start.run;
    for (const [index, lane] of prepared.lanes.entries()) lane.id = start.agents[index]?.id ?? lane.id;
    return { writer: await ResultsWriter.continue(file, bytes), finished };
  } finally {
    await results.close();
  }
}

/** The parts of the runs that differ, with the value of the file where it is short. */
function differences({ version, run, agents }: RunRecord, given: PreparedRun): string {
  const namesOf = (lanes: readonly { name: string }[]) => lanes.map(({ name }) => name).join(', ');
  const parts: [name: string, ofFile: unknown, ofGiven: unknown][] = [
    ['the pack', version.digest, given.pack.digest],
    [
      `the agents (${namesOf(agents)})`,
      namesOf(agents),
      namesOf(given.lanes.map(({ snapshot }) => snapshot)),
    ],
    [`the input set (${run.input_set.key})`, run.input_set.key, given.run.input_set.key],
    [`the repetitions (${run.repetitions})`, run.repetitions, given.run.repetitions],
    [`the seed (${run.seed ?? 'none'})`, run.seed, given.run.seed],
  ];
  const differing = parts.flatMap(([name, ofFile, ofGiven]) => (ofFile === ofGiven ? [] : [name]));
  return differing.length > 0
    ? differing.join(', ')
    : 'its cases, its limits or the configuration of an agent or a model';
}

/** Attempts that a judge ranks are scored together: where one of them is missing, all are run again. */
function completeAttempts(
  attempts: readonly IndexedAttempt[],
  { version: { spec }, lanes }: PreparedRun,
): readonly IndexedAttempt[] {
  if (!spec.llm_judges.some(({ mode }) => mode === 'n_wise')) return attempts;
  const fieldOf = ({ caseKey, repetition }: IndexedAttempt) => JSON.stringify([caseKey, repetition]);
  const sizes = new Map<string, number>();
  for (const each of attempts) sizes.set(fieldOf(each), (sizes.get(fieldOf(each)) ?? 0) + 1);
  return attempts.filter((each) => sizes.get(fieldOf(each)) === lanes.length);
}

/** Of everything that decides what the attempts of a run are. */
function digestOf({ pack, lanes, caseKeys, run, packModels, limits }: PreparedRun): string {
  const agents = lanes.map(({ snapshot }) => snapshot);
  const plan = { pack: pack.digest, agents, caseKeys, repetitions: run.repetitions, packModels, limits };
  return createHash('sha256').update(canonicalJson(plan)).digest('hex');
}

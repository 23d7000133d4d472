import type { ImportProblem, ReadAttempt, ReadDefaults, RecordedSource } from '@agentclash/exports';
import { CommandError } from '../../command-error.js';

export type ReadFile = (file: string, defaults: ReadDefaults) => AsyncIterable<ReadAttempt>;

/** The content of a file to import. */
export interface ImportedFile {
  lanes: ReadonlySet<string>;
  /** By key with the location of its first record. */
  cases: ReadonlyMap<string, string>;
  /** Keys of recorded scores, such as `dimensions.correctness`, with the location of the first record. */
  scores: ReadonlyMap<string, string>;
  repetitions: number;
  attempts: number;
  /** Records of attempts that never ended. */
  unfinished: number;
  /** The runs that its records name. */
  sources: { [K in keyof Required<RecordedSource>]: ReadonlySet<NonNullable<RecordedSource[K]>> };
}

/** Recorded scores whose keys are those of the evaluation spec. */
export const SCORES = ['dimensions', 'validators', 'judges'] as const;

/** The body of a request has 1 MiB at most, and an attempt is not divided. */
const ATTEMPT_BYTES_MAX = 1_048_000;

/** Problems that are shown. */
const SHOWN_MAX = 20;

/** Reads a file once, before anything is sent. Fails with its problems. */
export async function surveyOf(records: AsyncIterable<ReadAttempt>): Promise<ImportedFile> {
  const [lanes, cases, locations] = [new Set<string>(), new Map<string, string>(), new Set<string>()];
  const sources = {
    pack: new Set<string>(),
    version_number: new Set<number>(),
    version_digest: new Set<string>(),
    input_set: new Set<string>(),
  };
  const scores = new Map<string, string>();
  const problems = new Problems();
  let [repetitions, attempts, unfinished] = [1, 0, 0];
  for await (const record of records) {
    if ('problems' in record) {
      problems.add(record.problems);
      continue;
    }
    if ('unfinished' in record) {
      unfinished += 1;
      continue;
    }
    const { attempt, source, location } = record;
    const { lane, case_key, repetition } = attempt;
    const name = JSON.stringify([lane, case_key, repetition]);
    if (locations.has(name)) {
      const message = `is the second of case "${case_key}", repetition ${repetition}, of the lane "${lane}"`;
      problems.add([{ location, field: '', message }]);
    }
    locations.add(name);
    if (Buffer.byteLength(JSON.stringify(attempt)) > ATTEMPT_BYTES_MAX) {
      problems.add([
        { location, field: '', message: `has more than ${ATTEMPT_BYTES_MAX} bytes as one attempt` },
      ]);
    }
    lanes.add(lane);
    if (!cases.has(case_key)) cases.set(case_key, location);
    for (const kind of SCORES) {
      for (const key of Object.keys(attempt.scores?.[kind] ?? {})) {
        const field = `${kind}.${key}`;
        if (!scores.has(field)) scores.set(field, location);
      }
    }
    repetitions = Math.max(repetitions, repetition);
    attempts += 1;
    collect(sources, source);
  }
  problems.check();
  if (attempts === 0) throw new CommandError('usage', 'The file has no finished attempt');
  return { lanes, cases, scores, repetitions, attempts, unfinished, sources };
}

function collect(sources: Record<keyof RecordedSource, Set<unknown>>, source: RecordedSource): void {
  for (const [name, values] of Object.entries(sources)) {
    const value = source[name as keyof RecordedSource];
    if (value !== undefined) values.add(value);
  }
}

class Problems {
  private readonly shown: ImportProblem[] = [];
  private count = 0;

  add(problems: readonly ImportProblem[]): void {
    this.count += problems.length;
    this.shown.push(...problems.slice(0, SHOWN_MAX - this.shown.length));
  }

  check(): void {
    if (this.count === 0) return;
    const more = this.count - this.shown.length;
    throw new CommandError('usage', 'The file cannot be imported', {
      choices: [
        ...this.shown.map(
          ({ location, field, message }) => `${location}: ${field === '' ? '' : `${field}: `}${message}`,
        ),
        ...(more > 0 ? [`and ${more} more problems`] : []),
      ],
    });
  }
}

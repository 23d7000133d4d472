import {
  canonicalJson,
  type MemberFault,
  manifestOf,
  memberName,
  type PackReading,
  readPack,
} from '@agentclash/challengepack';
import type { Problem } from '@agentclash/contracts';

/** A document to be read, with what is known of its surroundings. */
export interface ReadingTask {
  document: Uint8Array;
  strict: boolean;
  /** Ids of artifacts that exist, in lower case. */
  artifacts: readonly string[];
  /** Paths of the files that lie beside the pack. */
  files: readonly string[];
  /** What is wrong with members of archives, by name. */
  memberFaults?: ReadonlyMap<string, MemberFault>;
  /** Keys of secrets that are bound to nothing. */
  unboundSecrets?: readonly string[];
}

/** What reading gave, in values that cross threads. */
export interface DocumentReading {
  /** In document order. */
  problems: Problem[];
  /** How many problems more there are than are listed. */
  omitted: number;
  summary: PackReading['summary'];
  /** Canonical JSON; present exactly when the pack is valid. */
  manifest?: string;
}

/** Characters of JSON; answers travel in messages of at most 8 MiB. */
const PROBLEMS_SIZE_MAX = 2_097_152;

export function readDocument({
  document,
  strict,
  artifacts,
  files,
  memberFaults,
  unboundSecrets,
}: ReadingTask): DocumentReading {
  const [ids, paths, unbound] = [new Set(artifacts), new Set(files), new Set(unboundSecrets)];
  const reading = readPack(document, {
    strict,
    artifactExists: (id) => ids.has(id),
    fileExists: (path) => paths.has(path),
    isUnboundSecret: (key) => unbound.has(key),
    memberFault: ({ artifact_id, path = '' }, member) =>
      memberFaults?.get(
        memberName({
          asset: { key: '', path, ...(artifact_id !== undefined && { artifact_id }) },
          path: member,
        }),
      ) ?? null,
  });
  const problems = listed(reading.problems);
  return {
    problems,
    omitted: reading.problems.length - problems.length,
    summary: reading.summary,
    ...(reading.valid && { manifest: canonicalJson(manifestOf(reading.pack)) }),
  };
}

/** The first problems, as many as one answer holds. What is listed of an invalid pack always has an error. */
function listed(problems: Problem[]): Problem[] {
  let size = 0;
  const fitting = problems.filter((problem) => {
    size += JSON.stringify(problem).length;
    return size <= PROBLEMS_SIZE_MAX;
  });
  const isTold = fitting.some(isError) || !problems.some(isError);
  return isTold ? fitting : [...problems.filter(isError).slice(0, 1).map(shortened), ...fitting];
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

const TEXT_MAX = 10_000;

/** A field path may hold a key as long as the document. */
function shortened(problem: Problem): Problem {
  const { suggestion: _suggestion, field, message, ...place } = problem;
  return { ...place, field: field.slice(0, TEXT_MAX), message: message.slice(0, TEXT_MAX) };
}

import {
  canonicalJson,
  type MemberProblem,
  manifestOf,
  memberName,
  type PackReading,
  type ReadOptions,
  readPack,
} from '@agentclash/challengepack';
import type { Problem } from '@agentclash/contracts';

/** A document to be read, with its known surroundings. */
export interface ReadingTask {
  document: Uint8Array;
  strict: boolean;
  /** Ids of artifacts that exist, in lower case. */
  artifacts: readonly string[];
  /** Paths of the files beside the pack. */
  files: readonly string[];
  /** Problems of archive members, by name. */
  memberProblems?: ReadonlyMap<string, MemberProblem>;
  /** Keys of secrets that are not bound to hosts. */
  unboundSecrets?: readonly string[];
  /** Of the files of builds. */
  builds?: BuildFacts;
}

/** Facts of the files of builds, as far as their bytes are stored. */
export interface BuildFacts {
  /** By the id of the artifact, or the path of a file beside the pack. */
  bytes: ReadonlyMap<string, number>;
  /** The Dockerfiles beside the pack, by path. */
  texts: ReadonlyMap<string, string>;
}

/** The result of reading, in values that can be posted between threads. */
export interface DocumentReading {
  /** In document order. */
  problems: Problem[];
  /** The number of problems that are not listed. */
  omitted: number;
  summary: PackReading['summary'];
  /** Canonical JSON; present exactly when the pack is valid. */
  manifest?: string;
}

/** Characters of JSON; replies are messages of at most 8 MiB. */
const PROBLEMS_SIZE_MAX = 2_097_152;

export function readDocument(task: ReadingTask): DocumentReading {
  return readingOf(readPack(task.document, surroundingsOf(task)));
}

export function surroundingsOf({
  strict,
  artifacts,
  files,
  memberProblems,
  unboundSecrets,
  builds,
}: ReadingTask): ReadOptions {
  const [ids, paths, unbound] = [new Set(artifacts), new Set(files), new Set(unboundSecrets)];
  return {
    strict,
    artifactExists: (id) => ids.has(id),
    fileExists: (path) => paths.has(path),
    ...(builds && {
      fileBytes: ({ path = '', artifact_id }) => builds.bytes.get(artifact_id ?? path),
      fileText: (path) => builds.texts.get(path),
    }),
    isUnboundSecret: (key) => unbound.has(key),
    memberProblem: ({ artifact_id, path = '' }, member) =>
      memberProblems?.get(
        memberName({
          asset: { key: '', path, ...(artifact_id !== undefined && { artifact_id }) },
          path: member,
        }),
      ) ?? null,
  };
}

export function readingOf(reading: PackReading): DocumentReading {
  const problems = listed(reading.problems);
  return {
    problems,
    omitted: reading.omitted + reading.problems.length - problems.length,
    summary: reading.summary,
    ...(reading.valid && { manifest: canonicalJson(manifestOf(reading.pack)) }),
  };
}

/** The first problems, as many as one reply holds. Those of an invalid pack always include an error. */
function listed(problems: Problem[]): Problem[] {
  let size = 0;
  const fitting = problems.filter((problem) => {
    size += JSON.stringify(problem).length;
    return size <= PROBLEMS_SIZE_MAX;
  });
  const includesError = fitting.some(isError) || !problems.some(isError);
  return includesError ? fitting : [...problems.filter(isError).slice(0, 1).map(shortened), ...fitting];
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

const TEXT_MAX = 10_000;

/** A field path may hold a key as long as the document. */
function shortened(problem: Problem): Problem {
  const { suggestion: _suggestion, field, message, ...position } = problem;
  return { ...position, field: field.slice(0, TEXT_MAX), message: message.slice(0, TEXT_MAX) };
}

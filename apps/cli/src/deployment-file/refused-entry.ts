import type { ApiError } from '@agentclash/api';
import type { ExitCode } from '@agentclash/domain';
import { KINDS } from '../resources/kinds.js';
import type { Problem } from '../yaml/problem-line.js';
import type { FieldPath, YamlFile } from '../yaml/yaml-file.js';
import { authoredPath } from './body-of.js';
import type { Entry } from './read.js';

/** What the server found wrong with an entry, where its author wrote it; nothing for any other failure. */
export function refusedEntry(
  error: unknown,
  source: YamlFile,
  entry: Entry,
): { problems: Problem[]; exit: ExitCode } | undefined {
  if (!isApiError(error) || error.errors.length === 0) return undefined;
  const problems = error.errors.map(({ code, field, message, suggestion }) =>
    source.problemAt(fieldPathOf(field, { source, entry }), {
      code,
      message,
      ...(suggestion !== undefined && { suggestion }),
    }),
  );
  return { problems, exit: error.exitCode };
}

/** Where a field of an entry's body was written. */
export function fieldPathOf(field: string, { source, entry }: { source: YamlFile; entry: Entry }): FieldPath {
  const { kind, at } = entry;
  return [...at, ...authoredPath(KINDS[kind].links, source, at)(pathOf(field))];
}

/** `config.files.0.path` and `config.files[0].path` alike. */
function pathOf(field: string): FieldPath {
  const steps = field.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return steps.filter((step) => step !== '').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}

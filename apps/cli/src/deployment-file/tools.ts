import { type ApiError, ToolSpec } from '@agentclash/api';
import { inspectWorkspaceTool, type WorkspaceToolDraft } from '@agentclash/challengepack';
import type { ExitCode } from '@agentclash/domain';
import { KINDS } from '../resources/kinds.js';
import type { Problem } from '../yaml/problem-line.js';
import type { FieldPath, YamlFile } from '../yaml/yaml-file.js';
import { authoredPath } from './body-of.js';
import type { DeploymentFile, Entry } from './read.js';

/**
 * The problems of a file's tools among each other and beside those of the workspace, which the file's take the place
 * of by name.
 */
export function toolProblems({ entries, source }: DeploymentFile, stored: readonly object[]): Problem[] {
  const own = toolsOf(entries);
  const names = new Set(own.map(({ name }) => name));
  const others = stored.map((tool) => ToolSpec.strip().parse(tool)).filter(({ name }) => !names.has(name));
  const active = [...own.map(({ body }) => ToolSpec.parse(body)), ...others]
    .filter(({ lifecycle_status }) => lifecycle_status === 'active')
    .map(asDraft);
  return own.flatMap((entry) =>
    inspectWorkspaceTool(asDraft(entry.body), active).map(({ field, ...problem }) =>
      source.problemAt(fieldPathOf(field, { source, entry }), problem),
    ),
  );
}

/** Tools after those that they delegate to, for the server knows only what is there; the rest stays as it is. */
export function afterTheirDelegates(entries: readonly Entry[]): Entry[] {
  const tools = toolsOf(entries);
  const ordered: Entry[] = [];
  const visit = (entry: Entry, users: readonly Entry[]) => {
    if (ordered.includes(entry) || users.includes(entry)) return;
    for (const delegate of delegatesOf(entry)) {
      const found = tools.find(({ name }) => name === delegate);
      if (found !== undefined) visit(found, [...users, entry]);
    }
    ordered.push(entry);
  };
  for (const tool of tools) visit(tool, []);
  const first = entries.findIndex(({ kind }) => kind === 'tool');
  const rest = entries.filter(({ kind }) => kind !== 'tool');
  return first === -1 ? rest : rest.toSpliced(first, 0, ...ordered);
}

function toolsOf(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ kind }) => kind === 'tool');
}

function delegatesOf({ body }: Entry): string[] {
  const { implementation, steps = [] } = ToolSpec.parse(body).definition;
  const primitive = implementation?.mode === 'delegate' ? [implementation.primitive] : [];
  return [...primitive, ...steps.map(({ ref }) => ref.name)];
}

/** The schema leaves arguments open; written in YAML they are JSON. */
function asDraft(spec: unknown): WorkspaceToolDraft {
  return spec as WorkspaceToolDraft;
}

/** The problem that the server found in an entry, at its position in the file; undefined for any other failure. */
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
function fieldPathOf(field: string, { source, entry }: { source: YamlFile; entry: Entry }): FieldPath {
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

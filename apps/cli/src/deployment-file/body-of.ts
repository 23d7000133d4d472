import { isId } from '../lookup/id-part.js';
import type { Link } from '../resources/kind.js';
import { isLocal } from '../resources/kind-names.js';
import type { FieldPath, YamlFile } from '../yaml/yaml-file.js';

/** A name in the file in the place of an id of the HTTP body, or a path beside it. */
export interface Reference {
  to: Link['to'];
  name: string;
  /** Into the body; absent where the body holds the name too. */
  bodyPath?: FieldPath;
  /** Into the authored value. */
  written: FieldPath;
}

/** A placeholder for an id that is not known yet, where a schema requires one. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Placeholder of a file that is not read yet, valid by the schema. */
function placeholderOf(to: Link['to'], name: string): unknown {
  switch (to) {
    case 'text':
      return '';
    case 'document':
      return UNKNOWN_ID;
    case 'skill':
      return { name: skillNameOf(name), files: [{ path: 'SKILL.md', artifact_id: UNKNOWN_ID }] };
    default:
      return UNKNOWN_ID;
  }
}

/** The last part of a skill's folder. */
export function skillNameOf(folder: string): string {
  return folder.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

/** The body of the HTTP API for the file, with a placeholder wherever the file names something. */
export function bodyOf(
  authored: unknown,
  links: readonly Link[],
): { body: unknown; references: readonly Reference[] } {
  const body = structuredClone(authored);
  const references = links.flatMap((link) =>
    bodyPathsOf(body, link.written.split('.')).flatMap((path) => substitute(body, path, link) ?? []),
  );
  return { body, references };
}

/** The body with real ids and contents in place of the placeholders. */
export function withValues(
  body: unknown,
  values: readonly { bodyPath: FieldPath; value: unknown }[],
): unknown {
  const filled = structuredClone(body);
  for (const { bodyPath, value } of values) {
    const holder = valueAt(filled, bodyPath.slice(0, -1));
    const step = bodyPath.at(-1);
    if (isHolder(holder) && step !== undefined) holder[step] = value;
  }
  return filled;
}

/** The way back from a path of the body, for problems are reported where the author wrote: as a name, or as the id itself. */
export function authoredPath(links: readonly Link[], file: YamlFile, base: FieldPath) {
  const names = new Map(
    links.flatMap(({ member, written }) => (member ? [[member, lastStep(written)]] : [])),
  );
  return (path: FieldPath): FieldPath => {
    const authored = path.map((step, index) => {
      const literal = file.has([...base, ...path.slice(0, index), step]);
      return literal || typeof step !== 'string' ? step : (names.get(step) ?? step);
    });
    // A text in the place of what it names, such as a skill's folder, has no parts.
    const end = authored.findIndex(
      (_, index) => typeof file.at([...base, ...authored.slice(0, index)]) === 'string',
    );
    return end < 0 ? authored : authored.slice(0, end);
  };
}

/** Members of the file that the body has under another name, at a place of the body. */
export function namesAt(links: readonly Link[], path: FieldPath): string[] {
  return links.flatMap(({ written }) => {
    const holder = written.split('.').slice(0, -1);
    const isHere =
      holder.length === path.length && holder.every((step, index) => step === '*' || step === path[index]);
    return isHere ? [lastStep(written)] : [];
  });
}

function substitute(
  body: unknown,
  written: FieldPath,
  { member, to, staysName }: Link,
): Reference | undefined {
  const holder = valueAt(body, written.slice(0, -1));
  const step = written.at(-1);
  if (!isHolder(holder) || step === undefined) return undefined;
  const name = holder[step];
  if (staysName) return typeof name === 'string' ? { to, name, written } : undefined;
  // Both spellings at once: the schema reports the unknown one.
  if (member !== undefined && Object.hasOwn(holder, member)) return undefined;
  const bodyPath = member === undefined ? written : [...written.slice(0, -1), member];
  if (member !== undefined) delete holder[step];
  if (name === null || name === undefined) return undefined;
  const isName = typeof name === 'string' && (isLocal(to) || !isId(name));
  // A value that is no text has to fail where an id would.
  holder[member ?? step] = isName ? placeholderOf(to, name) : name;
  return isName ? { to, name, bodyPath, written } : undefined;
}

/** The existing places in a value that match a pattern. */
function bodyPathsOf(value: unknown, [step, ...rest]: readonly string[], at: FieldPath = []): FieldPath[] {
  if (step === undefined) return [at];
  if (step === '*') {
    if (!Array.isArray(value)) {
      return isHolder(value)
        ? Object.entries(value).flatMap(([key, entry]) => bodyPathsOf(entry, rest, [...at, key]))
        : [];
    }
    return value.flatMap((entry: unknown, index) => bodyPathsOf(entry, rest, [...at, index]));
  }
  return isHolder(value) && !Array.isArray(value) && Object.hasOwn(value, step)
    ? bodyPathsOf(value[step], rest, [...at, step])
    : [];
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((inner, step) => (isHolder(inner) ? inner[step] : undefined), value);
}

function lastStep(pattern: string): string {
  return pattern.slice(pattern.lastIndexOf('.') + 1);
}

type Holder = Record<string | number, unknown>;

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

/** How a value is written into the text around it. */
export type Encoding = 'json' | 'query' | 'path';

/** One `${…}`; `source` is it as written. */
export interface Placeholder {
  source: string;
  encoding?: Encoding;
  ref: Reference;
}

/**
 * The parts of a placeholder. `path` begins with the ROOT, its segments separated by dots; `name` is the reference as
 * written.
 */
export type Reference =
  | { kind: 'parameters'; name: string }
  | { kind: 'secret'; name: string; key: string }
  | { kind: 'path'; name: string; path: [string, ...string[]] };

/** A piece of a template text: literal, a placeholder, or something that begins like one and is none. */
export type TemplatePart = string | Placeholder | { invalid: string };

const PREFIX = /^(json|query|path):(.*)$/s;

/** Cuts a text at its placeholders, left to right; `$${` becomes a literal `${`. Never throws. */
export function templateParts(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('$', at);
    if (next < 0) break;
    literal += text.slice(at, next);
    at = next;
    if (text.startsWith('$${', at)) {
      literal += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      if (literal !== '') parts.push(literal);
      literal = '';
      const end = text.indexOf('}', at);
      const source = text.slice(at, end < 0 ? undefined : end + 1);
      parts.push(end < 0 ? { invalid: source } : readPlaceholder(source));
      at += source.length;
    } else {
      literal += '$';
      at += 1;
    }
  }
  literal += text.slice(at);
  if (literal !== '') parts.push(literal);
  return parts;
}

export function isPlaceholder(part: TemplatePart): part is Placeholder {
  return typeof part !== 'string' && 'ref' in part;
}

/** The problem for which publishing refuses a part; `roots` are the declared top-level parameters. */
export function placeholderProblem(
  part: TemplatePart,
  roots: ReadonlySet<string>,
): 'invalid_placeholder' | 'unknown_placeholder' | undefined {
  if (typeof part === 'string') return undefined;
  if (!isPlaceholder(part)) return 'invalid_placeholder';
  return part.ref.kind === 'path' && !roots.has(part.ref.path[0]) ? 'unknown_placeholder' : undefined;
}

/** Keys of the secrets that a text refers to, in any encoding, in order of appearance. */
export function secretKeysOf(text: string): string[] {
  return templateParts(text).flatMap((part) =>
    isPlaceholder(part) && part.ref.kind === 'secret' ? [part.ref.key] : [],
  );
}

function readPlaceholder(source: string): TemplatePart {
  const inner = source.slice(2, -1);
  const [, encoding, rest] = PREFIX.exec(inner) ?? [undefined, undefined, inner];
  const ref = readReference(rest ?? '');
  if (!ref) return { invalid: source };
  return { source, ref, ...(encoding !== undefined && { encoding: encoding as Encoding }) };
}

function readReference(name: string): Reference | undefined {
  if (name.trim() === '') return undefined;
  if (name === 'parameters') return { kind: 'parameters', name };
  if (name.startsWith('secrets.')) {
    const key = name.slice('secrets.'.length);
    return key.trim() === '' ? undefined : { kind: 'secret', name, key };
  }
  const [root = '', ...keys] = name.split('.');
  return { kind: 'path', name, path: [root, ...keys] };
}

import { parse, stringify } from 'yaml';

/** One step of turning a document into a variant of it. */
export type Patch =
  | { op: 'set'; path: string; value: unknown }
  | { op: 'append'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'replace_document'; text: string; pad_to_bytes?: number };

/** Applies patches to a YAML document and writes it out again; without any the text stays as it is. */
export function patched(base: string, patches: readonly Patch[]): string {
  let text: string | undefined;
  const document: unknown = parse(base);
  for (const patch of patches) {
    if (patch.op === 'replace_document') text = padded(patch.text, patch.pad_to_bytes);
    else apply(document, patch);
  }
  if (patches.length === 0) return base;
  return text ?? stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}

type Holder = Record<string | number, unknown>;

function apply(document: unknown, patch: Exclude<Patch, { op: 'replace_document' }>): void {
  const steps = stepsOf(patch.path);
  const last = steps.pop() ?? '';
  let holder = document as Holder;
  for (const step of steps) {
    holder[step] ??= {};
    holder = holder[step] as Holder;
  }
  if (patch.op === 'set') holder[last] = structuredClone(patch.value);
  else if (patch.op === 'append')
    holder[last] = [...((holder[last] as unknown[]) ?? []), structuredClone(patch.value)];
  else if (patch.op !== 'remove') throw new Error(`unknown operation ${(patch as { op: string }).op}`);
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
}

/** The steps of a field path: dotted names, `[index]` and `["key"]`. */
export function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[("(?:[^"\\]|\\.)*"|\d+)\]|([^.[\]]+)/g), ([, bracket, name]) =>
    bracket === undefined ? (name ?? '') : (JSON.parse(bracket) as string | number),
  );
}

function padded(text: string, bytes = 0): string {
  return text + '#'.repeat(Math.max(0, bytes - new TextEncoder().encode(text).byteLength));
}

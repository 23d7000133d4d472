import { isJsonObject, type JsonValue } from '../json.js';

/** An operation of RFC 6902. */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: JsonValue;
}

/** Applies one operation of RFC 6902. */
export function applyOperation({ op, path, value = null }: Operation, document: JsonValue): void {
  const steps = path.split('/').slice(1);
  const last = steps.pop() ?? '';
  const parent = steps.reduce<JsonValue | undefined>(
    (node, step) => (Array.isArray(node) ? node[Number(step)] : isJsonObject(node) ? node[step] : undefined),
    document,
  );
  if (Array.isArray(parent)) {
    const at = last === '-' ? parent.length : Number(last);
    parent.splice(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  } else if (isJsonObject(parent)) {
    if (op === 'remove') delete parent[last];
    else parent[last] = value;
  } else throw new Error(`nothing at ${path}`);
}

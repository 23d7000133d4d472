import { vectorSuite } from '@agentclash/testkit';
import { expect } from '@jest/globals';
import { isJsonObject, type JsonValue } from '../json.js';
import { inspectEvaluationSpec } from './read.js';

interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: JsonValue;
}

interface Finding {
  field: string;
  code: string;
}

interface Vector {
  id: string;
  patch: Operation[];
  want: { valid: boolean; errors: Finding[]; warnings: Finding[] };
}

vectorSuite<Vector>('scoring-spec-validation.yaml', ({ patch, want }, document) => {
  const spec = structuredClone(document.base) as JsonValue;
  for (const operation of patch) apply(operation, spec);
  const problems = inspectEvaluationSpec(spec);
  const of = (severity: string) =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ field, code }) => `${field} ${code}`)
      .sort();
  const wanted = (findings: Finding[]) => findings.map(({ field, code }) => `${field} ${code}`).sort();
  expect(of('error')).toEqual(wanted(want.errors));
  expect(of('warning')).toEqual(wanted(want.warnings));
  expect(want.valid).toBe(want.errors.length === 0);
});

/** Applies one operation of RFC 6902. */
function apply({ op, path, value = null }: Operation, document: JsonValue): void {
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

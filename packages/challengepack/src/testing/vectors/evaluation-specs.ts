import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { JsonValue } from '../../json.js';
import { inspectEvaluationSpec } from '../../read/read-evaluation-spec.js';
import { applyOperation, type Operation } from '../json-patch.js';

interface ExpectedProblem {
  field: string;
  code: string;
}

interface Vector {
  id: string;
  patch: Operation[];
  want: { valid: boolean; errors: ExpectedProblem[]; warnings: ExpectedProblem[] };
}

export const driver: VectorDriver<Vector> = {
  run({ patch, want }, document) {
    const spec = structuredClone(document.base) as JsonValue;
    for (const operation of patch) applyOperation(operation, spec);
    const problems = inspectEvaluationSpec(spec);
    const of = (severity: string) =>
      problems
        .filter((problem) => problem.severity === severity)
        .map(({ field, code }) => `${field} ${code}`)
        .sort();
    const wanted = (findings: ExpectedProblem[]) =>
      findings.map(({ field, code }) => `${field} ${code}`).sort();
    expect(of('error')).toEqual(wanted(want.errors));
    expect(of('warning')).toEqual(wanted(want.warnings));
    expect(want.valid).toBe(want.errors.length === 0);
  },
};

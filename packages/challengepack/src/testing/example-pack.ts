import type { Problem } from '../decode/problems.js';
import type { Manifest } from '../pack/model.js';
import { manifestOf } from '../publish/manifest.js';
import { type ReadOptions, readPack } from '../read/read-pack.js';
import { type Patch, patched } from './vectors/patch.js';

/** A small valid pack without warnings, as a starting point for variants. */
export const EXAMPLE = `pack: {slug: echo, name: Echo, family: demo}
version:
  number: 1
  execution_mode: native
  evaluation_spec:
    name: echo
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.result}
    scorecard: {pass_threshold: 1, dimensions: [correctness]}
challenges:
  - {key: c1, title: Echo, category: basics, difficulty: easy, instructions: Repeat the prompt.}
input_sets:
  - key: default
    name: Default
    cases:
      - challenge_key: c1
        case_key: k1
        payload: {topic: greeting}
        inputs: [{key: prompt, kind: text, value: hello}]
        expectations: [{key: result, kind: text, source: "input:prompt"}]
`;

export const set = (path: string, value: unknown): Patch => ({ op: 'set', path, value });
export const append = (path: string, value: unknown): Patch => ({ op: 'append', path, value });
export const remove = (path: string): Patch => ({ op: 'remove', path });

/** The findings in a variant of the example as `field code`, in document order. */
export function findingsIn(patches: readonly Patch[], options?: ReadOptions): string[] {
  return problemsIn(patches, options).map(finding);
}

/** The problems of a variant of the example, in document order. */
export function problemsIn(patches: readonly Patch[], options?: ReadOptions): Problem[] {
  return readPack(patched(EXAMPLE, patches), options).problems;
}

/** The findings in a text as `line:column field code`. */
export function placedFindingsIn(text: string): string[] {
  return readPack(text).problems.map((problem) => `${problem.line}:${problem.column} ${finding(problem)}`);
}

function finding({ field, code }: Problem): string {
  return `${field} ${code}`.trimStart();
}

/** The manifest of a variant of the example; throws when it is not valid. */
export function manifestWith(...patches: Patch[]): Manifest {
  const reading = readPack(patched(EXAMPLE, patches));
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
  return manifestOf(reading.pack);
}

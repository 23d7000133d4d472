import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ATTEMPT_MOVES } from './attempt-state.js';
import { RUN_MOVES } from './run-status.js';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/architecture.md'), 'utf8');
const diagrams = [...page.matchAll(/^```mermaid\nstateDiagram-v2\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
);

/** The arrows of a diagram, without those from the start and to the end. */
function drawn(diagram: string | undefined): string[] {
  return [...(diagram ?? '').matchAll(/^ +(\w+) --> (\w+)/gm)]
    .map(([, from, to]) => `${from} --> ${to}`)
    .sort();
}

function moves(table: Record<string, readonly string[]>): string[] {
  return Object.entries(table)
    .flatMap(([from, targets]) => targets.map((to) => `${from} --> ${to}`))
    .sort();
}

test('The state diagram of a run in docs/architecture.md has the moves of a run, and no others.', () => {
  expect(drawn(diagrams[0])).toEqual(moves(RUN_MOVES));
});

test('The state diagram of an attempt in docs/architecture.md has the moves of an attempt, and no others.', () => {
  expect(drawn(diagrams[1])).toEqual(moves(ATTEMPT_MOVES));
});

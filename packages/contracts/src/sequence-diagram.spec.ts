import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ACCESS, type Access, type ServiceName } from './access.js';

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/architecture.md'), 'utf8');
const diagram = /^```mermaid\nsequenceDiagram\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';

const names = new Map(
  [...diagram.matchAll(/^ +participant (\w+)(?: as ([\w-]+))?$/gm)].map(([, id = '', name = id]) => [
    id,
    name,
  ]),
);
const arrows = [...diagram.matchAll(/^ +(\w+)(?:->>|-\))(\w+): (.+)$/gm)].map(
  ([, from = '', to = '', text = '']) => ({ from: names.get(from), to: names.get(to), text }),
);
/** Arrows between two services. */
const messages = arrows.filter(({ from, to }) => from !== undefined && to !== undefined && from !== to);

/** Subjects that one service sends or publishes and another handles, without their kind. */
function subjectsBetween(from: Access, to: Access): string[] {
  const served = new Set(to.serves.flatMap((group) => Object.values(group)).map(({ subject }) => subject));
  const received = new Set([...to.subscribes, ...(to.watches ?? [])].map(({ subject }) => subject));
  return [
    ...from.sends.filter(({ subject }) => served.has(subject)),
    ...from.publishes.filter(({ subject }) => received.has(subject)),
  ].map(({ subject }) => subject.replace(/^\w+\./, ''));
}

test('The sequence of a run in docs/architecture.md has all services.', () => {
  expect([...names.values()].sort()).toEqual(Object.keys(ACCESS).sort());
});

test('Every message in the sequence of a run is one that its sender may send and its receiver handles.', () => {
  expect(messages.length).toBeGreaterThan(12);
  const wrong = messages.filter(({ from, to, text }) => {
    const subject = /^\w+\.v\d+\.\w+/.exec(text)?.[0] ?? '';
    return !subjectsBetween(ACCESS[from as ServiceName], ACCESS[to as ServiceName]).includes(subject);
  });
  expect(wrong).toEqual([]);
});

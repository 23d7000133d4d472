import type { Solution } from '../references/solution.js';

/** One change of a text of a solution; offsets are UTF-16 code units. A step is changed as JSON. */
export interface Change {
  at: { file: number } | { step: number } | 'run' | 'output';
  start: number;
  end: number;
  text: string;
}

/** The change that makes `planted` of `solution`; undefined where they are the same. */
export function changeOf(solution: Solution, planted: Solution): Change | undefined {
  const before = textsOf(solution);
  const index = textsOf(planted).findIndex(({ value }, at) => value !== before[at]?.value);
  const [from, to] = [before[index], textsOf(planted)[index]];
  if (!from || !to) return undefined;
  return { at: from.at, ...splice(from.text(), to.text()) };
}

/** The solution with the change. */
export function withChange(solution: Solution, { at, start, end, text }: Change): Solution {
  const changed = (before: string) => before.slice(0, start) + text + before.slice(end);
  if (at === 'run') return { ...solution, run: changed(solution.run ?? '') };
  if (at === 'output') return { ...solution, output: changed(solution.output ?? '') };
  if ('step' in at) {
    const { steps = [] } = solution;
    return { ...solution, steps: steps.with(at.step, JSON.parse(changed(JSON.stringify(steps[at.step])))) };
  }
  const file = solution.files[at.file];
  if (!file || !(file.content instanceof Uint8Array))
    throw new Error('a mutant changes a file without bytes');
  const content = Buffer.from(changed(Buffer.from(file.content).toString()));
  return { ...solution, files: solution.files.with(at.file, { ...file, content }) };
}

interface Text {
  at: Change['at'];
  /** The same one where the text is the same. */
  value: unknown;
  text: () => string;
}

function textsOf({ files, run, steps = [], output }: Solution): Text[] {
  return [
    ...files.map(({ content }, file) => ({
      ...{ at: { file }, value: content },
      text: () => (content instanceof Uint8Array ? Buffer.from(content).toString() : ''),
    })),
    ...steps.map((step, index) => ({ at: { step: index }, value: step, text: () => JSON.stringify(step) })),
    { at: 'run', value: run, text: () => run ?? '' },
    { at: 'output', value: output, text: () => output ?? '' },
  ];
}

function splice(before: string, after: string): Omit<Change, 'at'> {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}

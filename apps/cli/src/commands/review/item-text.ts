import type { ReviewItem } from '@agentclash/api';
import type { Paint } from '../../terminal/output.js';
import { oneLine, printable } from '../../terminal/printable.js';

const SIDES = ['Left', 'Right'] as const;

/** An item as its rater sees it: task, inputs, expected values, criteria and outputs below each other. */
export function itemText(item: ReviewItem, paint: Paint): string {
  const { task, inputs, expected, criteria, outputs } = item;
  const title = (text: string) => paint.bold(oneLine(text));
  const texts = (name: string, entries: ReviewItem['inputs']) =>
    entries.flatMap(({ key, text, is_cut }) => [
      title(`${name} ${key}`),
      printable(text),
      ...cutLine(is_cut),
    ]);
  const sections = [
    [title(`Task: ${task.title}`), printable(task.instructions), ...cutLine(task.is_cut)],
    texts('Input', inputs),
    texts('Expected', expected),
    criteria.map(({ key, mode, text, min, max }) => {
      const scale = mode === 'assertion' ? '1 holds, 0 does not' : `${min} to ${max}`;
      return `${title(`Criterion ${key}`)} ${paint.dim(`(${scale})`)}\n${printable(text)}`;
    }),
    ...outputs.map((output, index) =>
      outputLines(output, outputs.length === 1 ? 'Output' : (SIDES[index] ?? ''), paint),
    ),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');

  function cutLine(isCut: boolean): string[] {
    return isCut ? [paint.dim('… cut')] : [];
  }
}

function outputLines(output: ReviewItem['outputs'][number], name: string, paint: Paint): string[] {
  const { text, next_offset, length, outcome } = output;
  const ended = outcome === 'completed' ? '' : paint.dim(` (${outcome.replaceAll('_', ' ')})`);
  const rest = next_offset === null ? [] : [paint.dim(`… the first ${next_offset} of ${length} characters`)];
  return [
    `${paint.inverse(` ${name} `)}${ended}`,
    text === null || text === '' ? paint.dim('no output') : printable(text),
    ...rest,
  ];
}

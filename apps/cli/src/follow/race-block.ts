import type { PairMeter } from '@agentclash/api';
import { meter, pairColor } from '../scorecard/race-view.js';
import { score } from '../terminal/figures.js';
import { oneLine } from '../terminal/printable.js';
import { displayWidth, fit, padEnd } from '../terminal/width.js';
import type { Board } from './board.js';
import { fitting, GAP, type RenderOptions, WIDE_FROM_COLUMNS } from './layout.js';

/** The pairs take at most this share of the screen. */
const PAIRS_SHARE_MAX = 1 / 3;
const METER_WIDTH = 21;
const METER_WIDTH_MIN = 9;
const PAIR_WIDTH_MAX = 30;
const PAIR_SHARE_MAX = 0.4;

/** The state of a race to a decision, and a meter for each pair: open ones first, for the others do not change. */
export function raceBlock(board: Board, { rows, columns, paint }: RenderOptions): string[] {
  const { raceLine: line, budgetLine } = board;
  if (line === undefined) return [];
  const pairs = [...board.pairs].sort((a, b) => Number(a.verdict !== null) - Number(b.verdict !== null));
  const most = Math.max(1, Math.floor(rows * PAIRS_SHARE_MAX) - 1);
  const shown = pairs.length <= most ? pairs : pairs.slice(0, most - 1);
  const names = shown.map(pairName);
  const widest = Math.max(0, ...names.map(displayWidth));
  const nameWidth = Math.min(PAIR_WIDTH_MAX, Math.floor(columns * PAIR_SHARE_MAX), widest);
  const hidden = pairs.slice(shown.length);
  const decided = hidden.filter(({ verdict }) => verdict !== null).length;
  return [
    ...shown.map((pair) => pairLine(pair, nameWidth, { columns, paint })),
    ...(hidden.length === 0
      ? []
      : [paint.dim(`and ${hidden.length} more pairs, ${decided} of them decided`)]),
    paint.bold(oneLine(line)),
    ...(budgetLine === undefined ? [] : [paint.dim(budgetLine)]),
  ];
}

function pairName({ a, b }: PairMeter): string {
  return `${oneLine(a.name)} : ${oneLine(b.name)}`;
}

function pairLine(
  pair: PairMeter,
  nameWidth: number,
  { columns, paint }: Pick<RenderOptions, 'columns' | 'paint'>,
) {
  const { verdict, cases, population, difference } = pair;
  const name = padEnd(fit(pairName(pair), nameWidth), nameWidth);
  const width = columns < WIDE_FROM_COLUMNS ? METER_WIDTH_MIN : METER_WIDTH;
  const color = pairColor(pair, paint);
  const figures = fitting(
    [
      (verdict ?? 'open').padEnd(VERDICT_WIDTH),
      `${cases}/${population}`.padStart(String(population).length * 2 + 1),
      ...(difference === null ? [] : [`${difference > 0 ? '+' : ''}${score(difference)}`]),
    ],
    columns - nameWidth - width - 2 * GAP.length,
  );
  return `${name}${GAP}${color(meter(pair, width))}${GAP}${figures}`;
}

/** Of `insufficient`. */
const VERDICT_WIDTH = 12;

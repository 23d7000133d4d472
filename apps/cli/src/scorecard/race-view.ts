import {
  differenceInWords,
  eliminationInWords,
  eliminationsOf,
  isWholeRace,
  laneSpending,
  type PairMeter,
  pairInWords,
  pairMeters,
  type Run,
  type RunAgent,
  raceLine,
  racePromises,
  raceStateOf,
} from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import type { Look, Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { type Column, layout, table } from '../terminal/table.js';

/** The verdicts of a run with `stop_when`: its pairs, the lanes that left it, its end, and what it promises. */
export function raceLines(run: Run, agents: readonly RunAgent[], look: Look): string[] {
  const { paint } = look;
  const state = raceStateOf(run, agents.map(laneSpending));
  if (state === undefined) return [];
  const { race, seed } = run;
  const order = seed === undefined ? [] : [paint.dim(`cases in the order of seed ${seed}`)];
  const end = `${paint.bold(oneLine(raceLine(state)))}${order.length === 0 ? '' : `  ${order.join('')}`}`;
  if (race === undefined) return [end];
  const eliminated = eliminationsOf(race, agents);
  const left = agents.flatMap(({ id, name }) => {
    const found = eliminated.get(id);
    const isEarlier = found !== undefined && found.afterCases < state.used;
    return isEarlier ? [`${name}: ${eliminationInWords(found)}`] : [];
  });
  const pairs = pairMeters(race, agents);
  const hasMissing = pairs.some(({ missing }) => missing > 0);
  return [
    table(pairs, pairColumns(paint, hasMissing), layout(look)),
    ...left.map((line) => paint.dim(oneLine(line))),
    ...(race.goal === 'best' ? bestLines(race.best, agents) : []),
    end,
    ...(hasRunEnded(run.status) ? racePromises(race, isWholeRace(run)).map((line) => paint.dim(line)) : []),
  ];
}

function bestLines(best: readonly string[], agents: readonly RunAgent[]): string[] {
  const names = agents.filter(({ id }) => best.includes(id)).map(({ name }) => oneLine(name));
  if (names.length === 0) return [];
  return [names.length === 1 ? `best: ${names[0]}` : `best, with no difference shown: ${names.join(', ')}`];
}

const METER_WIDTH = 15;

function pairColumns(paint: Paint, hasMissing: boolean): Column<PairMeter>[] {
  return [
    {
      title: 'VERDICT',
      value: verdictOfPair,
      style: (text, pair) => pairColor(pair, paint)(text),
      cutTo: 20,
    },
    { title: '', value: (pair) => meter(pair, METER_WIDTH), leaveOut: 1 },
    { title: 'DIFFERENCE', value: differenceInWords },
    {
      title: 'CASES',
      value: ({ cases, population }) => `${cases}/${population}`,
      align: 'right',
    },
    ...(hasMissing ? [MISSING] : []),
  ];
}

const MISSING: Column<PairMeter> = {
  title: 'MISSING',
  value: ({ missing }) => String(missing),
  align: 'right',
  leaveOut: 2,
};

/** A pair without a verdict by its names, and why it has none. */
function verdictOfPair(pair: PairMeter): string {
  const { a, b, verdict } = pair;
  const hasNone = verdict === null || verdict === 'insufficient' || verdict === 'undecided';
  return hasNone ? `${a.name} : ${b.name}: ${pairInWords(pair)}` : pairInWords(pair);
}

/** Green for a verdict, yellow for a pair that ended without one. */
export function pairColor({ verdict }: Pick<PairMeter, 'verdict'>, paint: Paint): (text: string) => string {
  if (verdict === null) return paint.dim;
  return verdict === 'insufficient' || verdict === 'undecided' ? paint.yellow : paint.green;
}

/** `┈┈┈┈┈┈┈┈┈┈│┈━━━━━━━━┈`: the interval of a pair on the scale from −1 to 1, with a mark at no difference. */
export function meter({ from, to }: Pick<PairMeter, 'from' | 'to'>, width: number): string {
  const middle = Math.floor(width / 2);
  const cellOf = (value: number) => Math.min(width - 1, Math.max(0, Math.floor(value * width)));
  const [first, last] = [cellOf(from), cellOf(to)];
  // An end beside no difference does not touch it.
  const start = from > 0.5 && first === middle ? middle + 1 : first;
  const end = to < 0.5 && last === middle ? middle - 1 : last;
  return Array.from({ length: width }, (_, cell) => {
    const isInside = cell >= Math.min(start, end) && cell <= Math.max(start, end);
    if (cell === middle) return isInside ? '┿' : '│';
    return isInside ? '━' : '┈';
  }).join('');
}

import {
  caseShareLine,
  casesMissing,
  comparedRaceLines,
  isUnpaired,
  type LaneComparison,
  type MeasureComparison,
  measuresOf,
  missingAttemptsLines,
  type NamedMeasure,
  type RunComparison,
  runTitle,
  servedRepliesLine,
  shownInterval,
  verdictText,
} from '@agentclash/api';
import { score } from '../terminal/figures.js';
import type { Look } from '../terminal/output.js';
import { csvTable } from '../terminal/print-table.js';
import { oneLine } from '../terminal/printable.js';
import { type Column, layout, table } from '../terminal/table.js';
import {
  comparisonReasons,
  difference,
  isAnyAdjusted,
  probability,
  reasonText,
  unadjusted,
} from './measures.js';

const COLORS = { better: 'green', worse: 'red', inconclusive: 'dim' } as const;

/** Every compared lane as a table with its intervals drawn, and what would settle what is open. */
export function comparisonView(compared: RunComparison, look: Look): string {
  return compared.comparisons.map((lane) => laneView(compared, lane, look)).join('\n\n');
}

interface ComparedMeasure extends NamedMeasure {
  baselineAgent: string;
  candidateAgent: string;
}

/** The measures of all lanes, one line of CSV each. */
export function comparisonCsv(compared: RunComparison): string {
  const rows = compared.comparisons.flatMap((lane): ComparedMeasure[] => {
    const { baseline: baselineAgent, candidate: candidateAgent } = laneNames(compared, lane);
    return measuresOf(lane).map((named) => ({ ...named, baselineAgent, candidateAgent }));
  });
  return csvTable(rows, [
    { title: 'BASELINE AGENT', value: ({ baselineAgent }) => baselineAgent },
    { title: 'CANDIDATE AGENT', value: ({ candidateAgent }) => candidateAgent },
    { title: 'MEASURE', value: ({ name }) => name },
    figureColumn('BASELINE', ({ baseline }) => baseline),
    figureColumn('CANDIDATE', ({ candidate }) => candidate),
    figureColumn('DIFFERENCE', ({ mean_difference: mean }) => mean),
    figureColumn('LOW', (measure) => shownInterval(measure)?.[0]),
    figureColumn('HIGH', (measure) => shownInterval(measure)?.[1]),
    figureColumn('P', ({ p_adjusted: p }) => p),
    { title: 'VERDICT', value: ({ measure }) => verdictText(measure) },
  ]);
}

function figureColumn(
  title: string,
  of: (measure: MeasureComparison) => number | null | undefined,
): Column<ComparedMeasure> {
  return { title, value: ({ measure }) => score(of(measure)), data: ({ measure }) => of(measure) };
}

function laneView(compared: RunComparison, lane: LaneComparison, look: Look): string {
  const { paint } = look;
  const names = laneNames(compared, lane);
  const title = paint.bold(oneLine(`${names.candidate} against ${names.baseline}`));
  if (!lane.comparable) {
    return [
      title,
      ...raceLines(lane, look),
      paint.yellow('not comparable'),
      ...comparisonReasons(lane).map((reason) => `  ${reason}`),
      ...missingAttemptsLines(lane).map((line) => `  ${oneLine(line)}`),
    ].join('\n');
  }
  const cases = `${lane.cases} common ${lane.cases === 1 ? 'case' : 'cases'}`;
  return [
    `${title}  ${paint.dim(cases)}`,
    measureTable(lane, look),
    ...raceLines(lane, look),
    ...footnotes(compared, lane).map((line) => paint.dim(line)),
  ].join('\n');
}

/** The verdict of a race on the pair, in its color, with the promise below. */
function raceLines({ race }: LaneComparison, { paint }: Look): string[] {
  if (race === undefined) return [];
  const [verdict = '', ...rest] = comparedRaceLines(race).map((line) => oneLine(line));
  return [verdict, ...rest.map((line) => paint.dim(line))];
}

function measureTable(lane: LaneComparison, look: Look): string {
  const { paint } = look;
  const measures = measuresOf(lane);
  const alone: Column<NamedMeasure>[] = isAnyAdjusted(lane)
    ? [{ title: 'UNADJUSTED', value: ({ measure }) => unadjusted(measure), style: paint.dim, leaveOut: 2 }]
    : [];
  const intervals = measures.map(({ measure }) => intervalOf(measure));
  const reach = reachOf(intervals);
  return table(
    measures,
    [
      { title: 'MEASURE', value: ({ name }) => name, style: paint.bold, cutTo: 12 },
      { title: 'BASELINE', value: ({ measure }) => score(measure.baseline), align: 'right' },
      { title: 'CANDIDATE', value: ({ measure }) => score(measure.candidate), align: 'right' },
      { title: 'DIFFERENCE', value: ({ measure }) => difference(measure) },
      {
        title: '',
        value: ({ measure }) => intervalBar(intervalOf(measure), reach),
        leaveOut: 1,
      },
      { title: 'P', value: ({ measure }) => probability(measure.p_adjusted), align: 'right' },
      {
        title: 'VERDICT',
        value: ({ measure }) => verdictText(measure),
        style: (text, { measure }) => paint[COLORS[measure.verdict]](text),
      },
      ...alone,
    ],
    layout(look),
  );
}

function intervalOf(measure: MeasureComparison) {
  return { mean: measure.mean_difference, ci: shownInterval(measure) };
}

/** Who is compared, by name. */
export function laneNames({ baseline, candidate }: RunComparison, lane: LaneComparison) {
  const none = isUnpaired(lane) ? 'no agent' : 'several agents';
  const named = ({ agents }: RunComparison['baseline'], id: string | null) =>
    agents.find(({ run_agent_id }) => run_agent_id === id)?.name ?? none;
  const left = named(baseline, lane.baseline_run_agent_id);
  const right = named(candidate, lane.candidate_run_agent_id);
  const label = ({ run_id, ...run }: RunComparison['baseline']) => runTitle({ ...run, id: run_id });
  return { baseline: `${left} (${label(baseline)})`, candidate: `${right} (${label(candidate)})` };
}

/** How to read it, and how many cases would settle what is inconclusive. */
export function footnotes({ baseline, candidate }: RunComparison, lane: LaneComparison): string[] {
  const { overall, detect } = lane;
  const more = casesMissing(overall);
  return [
    `candidate − baseline, higher is better; […] 95 % interval and P are adjusted for ${testsInWords(lane)} (Holm)`,
    ...(isAnyAdjusted(lane)
      ? ['unadjusted: as if each measure were the only one; the verdict is adjusted']
      : []),
    ...missingAttemptsLines(lane).map((line) => oneLine(line)),
    ...seenAtLeast(overall),
    ...(more !== null
      ? [`overall is inconclusive: ${more} more cases would show a difference of ${detect} with 80 % power`]
      : []),
    ...[baseline.case_share && `baseline: ${caseShareLine(baseline.case_share)}`].filter(isText),
    ...[candidate.case_share && `candidate: ${caseShareLine(candidate.case_share)}`].filter(isText),
    ...[servedRepliesLine(baseline)].filter(isText).map((line) => `baseline: ${line}`),
    ...[servedRepliesLine(candidate)].filter(isText).map((line) => `candidate: ${line}`),
    ...(baseline.selective_retry ? [reasonText('baseline_selective_retry')] : []),
    ...(candidate.selective_retry ? [reasonText('candidate_selective_retry')] : []),
  ];
}

function testsInWords({ tests }: LaneComparison): string {
  if (tests === undefined) return 'all tests';
  return tests === 1 ? 'one test' : `${tests} distinct tests`;
}

/** The smallest difference that a comparison without a finding could have detected. */
function seenAtLeast({ verdict, state, detectable }: MeasureComparison): string[] {
  if (state !== 'available' || verdict !== 'inconclusive' || detectable === undefined) return [];
  return [
    detectable === null
      ? 'so few cases could not show any difference'
      : `a loss of ${score(detectable)} or more in overall would have been seen with 80 % power`,
  ];
}

function isText(line: string | undefined): line is string {
  return line !== undefined;
}

const WIDTH = 21;
const MIDDLE = (WIDTH - 1) / 2;

/**
 * An interval of differences around zero, drawn: `─` from end to end, `●` at the mean, `│` at zero; an end beyond `reach`
 * is an arrow.
 */
export function intervalBar(
  { mean, ci }: { mean: number | null; ci: readonly [number, number] | null },
  reach: number,
): string {
  if (mean === null || !(reach > 0)) return '';
  const cells = Array.from({ length: WIDTH }, () => ' ');
  const column = (value: number) => Math.round(MIDDLE + (value / reach) * MIDDLE);
  const inside = (at: number) => Math.max(0, Math.min(WIDTH - 1, at));
  if (ci !== null) {
    const [from, to] = [column(ci[0]), column(ci[1])];
    for (let at = inside(from); at <= inside(to); at++) cells[at] = '─';
    if (from < 0) cells[0] = '◄';
    if (to > WIDTH - 1) cells[WIDTH - 1] = '►';
  }
  cells[MIDDLE] = '│';
  cells[inside(column(mean))] = '●';
  return cells.join('');
}

/** How far the widest of the intervals reaches from zero: what all bars of one table are drawn by. */
function reachOf(
  intervals: readonly { mean: number | null; ci: readonly [number, number] | null }[],
): number {
  return Math.max(0, ...intervals.flatMap(({ mean, ci }) => [...(ci ?? []), mean ?? 0].map(Math.abs)));
}

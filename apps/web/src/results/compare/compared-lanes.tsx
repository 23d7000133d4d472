import {
  caseShareLine,
  comparedRaceLines,
  comparedVerdictInWords,
  isAdjusted,
  isUnpaired,
  type LaneComparison,
  missingAttemptsLines,
  type RunComparison,
  roundedP,
  servedRepliesLine,
  shownInterval,
} from '@agentclash/api';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatCount, formatScore, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { Empty } from '../../design/states.js';
import { type Column, Table } from '../../design/table.js';
import { ModelCallsBadge } from '../../runs/model-calls-badge.js';
import { estimateRecord } from '../estimates.js';
import { caseAddress } from '../full-attempt.js';
import { IntervalBar } from '../interval-bar.js';
import { reasonText } from '../reasons.js';
import css from './compare.module.css';
import type { ComparedLane } from './compared-case.js';
import { ComparisonSummary } from './comparison-summary.js';
import { DifferenceChart, type DifferenceChartProps } from './difference-chart.js';
import {
  casesMissing,
  detectableText,
  intervalText,
  measuresOf,
  type NamedMeasure,
  signed,
  VERDICT_TONES,
  verdictText,
} from './measures.js';

/** Every pair of lanes that was compared, or why it cannot be. */
export function ComparedLanes({ compared }: { compared: RunComparison }) {
  return (
    <>
      <ComparisonSummary
        compared={compared}
        nameOf={(side, lane) => laneName(compared, side, lane[`${side}_run_agent_id`])}
      />
      {compared.comparisons.map((lane) => (
        <Lane
          key={`${lane.baseline_run_agent_id} ${lane.candidate_run_agent_id}`}
          compared={compared}
          lane={lane}
        />
      ))}
    </>
  );
}

function Lane({ compared, lane }: { compared: RunComparison; lane: LaneComparison }) {
  const none = isUnpaired(lane) ? 'no agent' : 'several agents';
  const [baseline, candidate] = (['baseline', 'candidate'] as const).map(
    (side) => nameOf(compared[side], lane[`${side}_run_agent_id`]) ?? none,
  );
  const title = `${candidate} against ${baseline}`;
  if (lane.comparable) return <LaneMeasures title={title} lane={lane} compared={compared} />;
  return (
    <Empty
      title={`${title}: ${lane.race === undefined ? 'not comparable' : comparedVerdictInWords(lane.race)}`}
    >
      {lane.race !== undefined && (
        <>
          <IntervalBar
            estimate={{ mean: lane.race.difference, interval: lane.race.interval }}
            domain={[-1, 1]}
            color="var(--accent)"
            mark={0}
          />
          {comparedRaceLines(lane.race).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </>
      )}
      {lane.reasons.map((reason) => (
        <p key={reason}>{reasonText(reason)}</p>
      ))}
      {missingAttemptsLines(lane).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        <Link to={`/runs/${compared.candidate.run_id}/ranking`}>Candidate</Link>
        {' · '}
        <Link to={`/runs/${compared.baseline.run_id}/ranking`}>Baseline</Link>
      </p>
    </Empty>
  );
}

function nameOf({ agents }: RunComparison['baseline'], id: string | null): string | undefined {
  return agents.find(({ run_agent_id }) => run_agent_id === id)?.name;
}

type ComparedSide = 'baseline' | 'candidate';

/** The agent and its run. */
function laneName(compared: RunComparison, side: ComparedSide, agentId: string | null): string {
  return `${nameOf(compared[side], agentId) ?? 'several agents'} of ${compared[side].name ?? side}`;
}

/** Whose outputs can be compared: where both sides are of one agent. */
function lanesOf(compared: RunComparison, lane: LaneComparison): DifferenceChartProps['lanes'] {
  const of = (side: ComparedSide): ComparedLane | undefined => {
    const agentId = lane[`${side}_run_agent_id`];
    if (agentId === null) return undefined;
    return { runId: compared[side].run_id, agentId, name: laneName(compared, side, agentId) };
  };
  const [baseline, candidate] = [of('baseline'), of('candidate')];
  return baseline && candidate ? { baseline, candidate } : undefined;
}

/** As if a measure were the only one that is tested. */
const UNADJUSTED: Column<NamedMeasure> = {
  key: 'unadjusted',
  title: 'Unadjusted',
  isMinor: true,
  file: ({ measure: { interval = null, p } }) => ({
    ...{ unadjusted_low: interval?.[0] ?? null, unadjusted_high: interval?.[1] ?? null, p },
  }),
  cell: ({ measure: { interval = null, p } }) => (
    <span className="figures">{p === null ? NOTHING : `${intervalText(interval)} p ${roundedP(p)}`}</span>
  ),
};

function testsText({ tests }: LaneComparison): string {
  if (tests === undefined) return 'all tests';
  return tests === 1 ? 'one test' : `${formatCount(tests)} distinct tests`;
}

interface LaneMeasuresProps {
  title: string;
  lane: LaneComparison;
  compared: RunComparison;
}

/** Every measure of two lanes with the interval of its difference, and the differences case by case. */
function LaneMeasures({ title, lane, compared }: LaneMeasuresProps) {
  const { race } = lane;
  const measures = measuresOf(lane);
  const reach = Math.max(
    0.1,
    ...measures.flatMap(({ measure }) =>
      [...(shownInterval(measure) ?? []), measure.mean_difference ?? 0].map(Math.abs),
    ),
  );
  const columns: readonly Column<NamedMeasure>[] = [
    { key: 'name', title: 'Measure', cell: ({ name }) => name, file: ({ name }) => ({ measure: name }) },
    {
      key: 'verdict',
      title: 'Verdict',
      file: ({ measure: { state, verdict } }) => ({ state, verdict }),
      cell: ({ measure }) => (
        <Badge tone={measure.state === 'available' ? VERDICT_TONES[measure.verdict] : 'warn'}>
          {verdictText(measure)}
        </Badge>
      ),
    },
    {
      key: 'difference',
      title: 'Difference, with its 95 % interval, adjusted',
      file: ({ measure }) =>
        estimateRecord('difference', { mean: measure.mean_difference, interval: shownInterval(measure) }),
      cell: ({ measure }) => (
        <span className={css.drawn}>
          <span className="figures">
            {signed(measure.mean_difference)} {intervalText(shownInterval(measure))}
          </span>
          <IntervalBar
            estimate={{ mean: measure.mean_difference, interval: shownInterval(measure) }}
            domain={[-reach, reach]}
            color="var(--accent)"
            mark={0}
          />
        </span>
      ),
    },
    {
      key: 'baseline',
      title: 'Baseline',
      isFigure: true,
      cell: ({ measure }) => formatScore(measure.baseline),
      file: ({ measure: { baseline } }) => ({ baseline }),
    },
    {
      key: 'candidate',
      title: 'Candidate',
      isFigure: true,
      cell: ({ measure }) => formatScore(measure.candidate),
      file: ({ measure: { candidate } }) => ({ candidate }),
    },
    {
      key: 'p',
      title: 'p, adjusted',
      isFigure: true,
      isMinor: true,
      cell: ({ measure: { p_adjusted } }) => (p_adjusted === null ? NOTHING : roundedP(p_adjusted)),
      file: ({ measure: { p_adjusted } }) => ({ p_adjusted }),
    },
    ...(measures.some(({ measure }) => isAdjusted(measure)) ? [UNADJUSTED] : []),
  ];
  const missing = casesMissing(lane.overall);
  const detectable = detectableText(lane.overall);
  const isSelective = compared.baseline.selective_retry || compared.candidate.selective_retry;
  return (
    <>
      <Panel title={title} actions={<span>{formatCount(lane.cases)} common cases</span>} isFlush>
        <Table label={title} columns={columns} rows={measures} keyOf={({ name }) => name} isStacked />
      </Panel>
      {race !== undefined && comparedRaceLines(race).map((line) => <p key={line}>{line}</p>)}
      <p>
        Interval, p and verdict are adjusted for {testsText(lane)} (Holm): they hold together.
        {race !== undefined &&
          ' They are about cases that are not written yet; the race is about these cases.'}
      </p>
      {missingAttemptsLines(lane).map((line) => (
        <p key={line}>
          <Badge tone="warn">missing</Badge> {line}
        </p>
      ))}
      {detectable !== null && <p>{detectable}</p>}
      {missing !== null && (
        <p>
          Overall is inconclusive: {formatCount(missing)} more cases would show a difference of {lane.detect}{' '}
          with 80 % power.
        </p>
      )}
      {(['baseline', 'candidate'] as const).map((side) => {
        const { case_share: share } = compared[side];
        return (
          share && (
            <p key={side}>
              <Badge tone="warn">subset</Badge> {side}: {caseShareLine(share)}
            </p>
          )
        );
      })}
      {(['baseline', 'candidate'] as const).map((side) => {
        const line = servedRepliesLine(compared[side]);
        return (
          line && (
            <p key={side}>
              <ModelCallsBadge run={compared[side]} /> {side}: {line}
            </p>
          )
        );
      })}
      {isSelective && (
        <p>
          <Badge tone="warn">selective retry</Badge> Attempts of one side were retried because of their
          result.
        </p>
      )}
      <DifferenceChart
        title={title}
        measure={lane.overall}
        lanes={lanesOf(compared, lane)}
        addressOf={(side, caseKey) => {
          const laneId = lane[`${side}_run_agent_id`];
          return caseAddress(compared[side].run_id, caseKey, laneId === null ? {} : { agent: laneId });
        }}
      />
    </>
  );
}

import { costText, elapsedMs, etaMs, knownCost, type RunAgent } from '@agentclash/api';
import { memo, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Badge } from '../design/badge.js';
import { classes } from '../design/classes.js';
import { formatClock, formatCompact, formatCost, formatCount, formatScore } from '../design/format.js';
import { LaneMark } from '../design/lane-mark.js';
import { Meter } from '../design/meter.js';
import { RunProgress } from '../runs/run-progress.js';
import css from './lane.module.css';
import type { TailKind } from './lane-output.js';
import type { LaneView } from './race-feed.js';

/** The end of a lane before its last case. */
export interface Departure {
  /** True when another lane is better. */
  isBeaten: boolean;
  text: string;
}

interface LaneCardProps {
  runId: string;
  lane: LaneView;
  /** Absent while the lane races. */
  left: Departure | undefined;
  /** In milliseconds; unused by a lane that has ended. */
  now: number;
  /** True while no attempt starts, so that no end can be estimated. */
  isPaused: boolean;
}

/** One agent of a race: progress, score, cost and its running attempts. */
export const LaneCard = memo(function LaneCard(props: LaneCardProps) {
  const { runId, lane, left, now, isPaused } = props;
  const { id, index, name, kind, total, finished, scored, passed, judged } = lane;
  const share = (count: number) => (total === 0 ? 0 : count / total);
  const isOver = lane.endedAt !== null;
  const done = `${formatCount(finished)} of ${formatCount(total)} attempts done, ${formatCount(passed)} passed`;
  return (
    <li className={classes(css.card, isOver && css.settled, left && css.halted)} aria-label={`Lane ${name}`}>
      <header className={css.header}>
        <h2 className={css.name}>
          <LaneMark index={index} /> <Link to={`/runs/${runId}/agents/${id}`}>{name}</Link>
        </h2>
        <span className={css.kind}>{kind}</span>
        <span className={css.score}>
          <span className="visually-hidden">score so far </span>
          {formatScore(lane.overall)}
        </span>
      </header>
      <Meter
        label={done}
        parts={[
          { share: share(passed), tone: 'good' },
          { share: share(judged - passed), tone: 'bad' },
          { share: share(scored - judged), tone: 'warn' },
          { share: share(finished - scored), tone: 'neutral' },
          { share: share(lane.runningCount), tone: 'accent' },
        ]}
      />
      <dl className={css.figures}>
        <Figure name="done" value={`${formatCount(finished)}/${formatCount(total)}`} />
        <Figure name="passed" value={formatCount(passed)} />
        <Figure name="tokens" value={formatCompact(lane.tokens)} />
        <Figure name="cost" value={costText(lane, formatCost)} />
        <Figure name="elapsed" value={formatClock(elapsedMs(lane, now))} />
        <Figure name="ETA" value={formatClock(isPaused ? null : etaMs(lane, now))} />
      </dl>
      {left && <LaneLeft {...left} />}
      {!isOver && <LaneNow lane={lane} />}
      {!(isOver && lane.tail.length === 0) && <LaneTail lane={lane} />}
    </li>
  );
}, isSame);

/** Only lanes in progress are redrawn when the time changes. */
function isSame(before: LaneCardProps, after: LaneCardProps): boolean {
  const isStill = after.lane.startedAt === null || after.lane.endedAt !== null;
  return (
    before.lane === after.lane &&
    before.left?.text === after.left?.text &&
    before.isPaused === after.isPaused &&
    (isStill || before.now === after.now)
  );
}

function LaneLeft({ isBeaten, text }: Departure) {
  return (
    <p className={css.left}>
      <Badge tone={isBeaten ? 'warn' : 'neutral'}>{isBeaten ? 'out' : 'stopped'}</Badge> {text}
    </p>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The running attempts, with their steps and tools. */
function LaneNow({ lane: { running, runningCount, parkedCount } }: { lane: LaneView }) {
  const more = runningCount - running.length;
  return (
    <ul className={css.now} aria-label="Running attempts">
      {running.map(({ id, caseKey, repetition, state, step, tool }) => (
        <li key={id}>
          <Link to={`/attempts/${id}`}>
            {caseKey}
            {repetition > 1 && ` #${repetition}`}
          </Link>
          <span>
            {step === null ? state : `step ${step}`}
            {tool !== null && (
              <>
                {' · '}
                <code>{tool}</code>
              </>
            )}
          </span>
        </li>
      ))}
      {more > 0 && <li>and {formatCount(more)} more</li>}
      {parkedCount > 0 && (
        <li>
          <Badge tone="warn">{formatCount(parkedCount)} awaiting human input</Badge>
        </li>
      )}
    </ul>
  );
}

interface FinishedLaneProps extends Pick<LaneCardProps, 'left'> {
  agent: RunAgent;
  index: number;
}

/** A lane of a run that has ended: its figures. */
export function FinishedLane({ agent, index, left }: FinishedLaneProps) {
  const { id, name, kind, progress, overall_so_far, tally } = agent;
  return (
    <li className={classes(css.card, css.settled)} aria-label={`Lane ${name}`}>
      <header className={css.header}>
        <h2 className={css.name}>
          <LaneMark index={index} /> <Link to={`/runs/${agent.run_id}/agents/${id}`}>{name}</Link>
        </h2>
        <span className={css.kind}>{kind}</span>
        <span className={css.score}>
          <span className="visually-hidden">score </span>
          {formatScore(overall_so_far)}
        </span>
      </header>
      <RunProgress progress={progress} />
      {left && <LaneLeft {...left} />}
      {tally && (
        <dl className={css.figures}>
          <Figure name="passed" value={formatCount(progress.passed)} />
          <Figure name="tokens" value={formatCompact(tally.tokens)} />
          <Figure name="cost" value={costText(knownCost(tally), formatCost)} />
        </dl>
      )}
    </li>
  );
}

/** The word is for screen readers; the sign and the colour show the same. */
const SIGNS: Record<TailKind, { sign: string; word: string }> = {
  assistant: { sign: '›', word: 'assistant' },
  prompt: { sign: '?', word: 'prompt' },
  tool: { sign: '⚙', word: 'tool call' },
  result: { sign: '←', word: 'tool result' },
  problem: { sign: '!', word: 'problem' },
  output: { sign: '■', word: 'output' },
};
const NEAR_END_PX = 24;

/** The last lines of a lane; the list follows the newest line until the user scrolls up. */
function LaneTail({ lane: { name, tail, streaming } }: { lane: LaneView }) {
  const ref = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new line.
  useLayoutEffect(() => {
    const list = ref.current;
    if (list !== null && isFollowing.current) list.scrollTop = list.scrollHeight;
  }, [tail, streaming]);
  const watch = () => {
    const list = ref.current;
    if (list === null) return;
    isFollowing.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <ol ref={ref} className={css.tail} aria-label={`Last events of ${name}`} tabIndex={0} onScroll={watch}>
      {tail.map(({ position, caseKey, kind, text }) => (
        <li key={position} className={css[kind]}>
          <span className={css.case}>{caseKey}</span> <span aria-hidden="true">{SIGNS[kind].sign}</span>
          <span className="visually-hidden">{SIGNS[kind].word}</span> {text}
        </li>
      ))}
      {streaming !== null && (
        <li className={classes(css.assistant, css.streaming)}>
          <span className={css.case}>{streaming.caseKey}</span> {streaming.text}
        </li>
      )}
    </ol>
  );
}

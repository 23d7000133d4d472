import { memo } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { classes } from '../../design/classes.js';
import { formatDuration } from '../../design/format.js';
import { Marked } from '../../design/marked.js';
import { figureTexts } from './call-figures.js';
import { RenderedText } from './rendered-text.js';
import css from './transcript.module.css';
import type { ToolCall, Turn, TurnTime } from './turns.js';

interface TurnViewProps {
  turn: Turn;
  /** From 1. */
  number: number;
  /** Of the whole transcript. */
  span: TurnTime | undefined;
  /** Address of a step's events. */
  eventsOf: (step: number) => string;
}

/** One part of a conversation: who, what, with its figures, its place in time and a link to its events. */
export const TurnView = memo(function TurnView({ turn, number, span, eventsOf }: TurnViewProps) {
  const facts = factsOf(turn);
  return (
    <article className={classes(css.turn, css[turn.kind])} aria-label={`${number}, ${titleOf(turn)}`}>
      <header className={css.head}>
        <strong className={css.role}>{titleOf(turn)}</strong>
        <span className={css.facts}>{facts.join(' · ')}</span>
        <Link to={eventsOf(turn.step)} className={css.events}>
          events<span className="visually-hidden"> of turn {number}</span>
        </Link>
      </header>
      <TimeBar time={turn.time} span={span} />
      <Content turn={turn} number={number} />
    </article>
  );
});

function titleOf(turn: Turn): string {
  switch (turn.kind) {
    case 'prompt':
      return turn.note && turn.role !== 'system' ? `${turn.role} (${turn.note})` : turn.role;
    case 'reply':
      return 'assistant';
    case 'tool':
      return 'tool call';
    case 'command':
      return 'program';
    case 'output':
      return 'output';
    case 'note':
      return turn.isProblem ? 'problem' : 'note';
  }
}

function factsOf(turn: Turn): string[] {
  if (turn.kind === 'reply' && turn.figures) {
    const { model } = turn.figures;
    return [...(model === '' ? [] : [model]), ...figureTexts(turn.figures)];
  }
  if (turn.kind === 'tool') return turn.calls.flatMap(({ durationMs }) => durationText(durationMs));
  if (turn.kind === 'command' && turn.time) {
    return [turn.exit, formatDuration(turn.time.to - turn.time.from)].filter((text) => text !== '');
  }
  return [];
}

function durationText(ms: number | null): string[] {
  return ms === null ? [] : [formatDuration(ms)];
}

/** When a turn happened, and for how long, within the time of all turns. */
function TimeBar({ time, span }: { time: TurnTime | null; span: TurnTime | undefined }) {
  if (time === null || span === undefined || time.to === time.from) return null;
  const whole = span.to - span.from;
  const [x, width] = [(100 * (time.from - span.from)) / whole, (100 * (time.to - time.from)) / whole];
  const title = `${formatDuration(time.to - time.from)}, from ${formatDuration(time.from - span.from)} after the start`;
  return (
    <svg className={css.bar} viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label={title}>
      <title>{title}</title>
      <rect className={css.track} width="100" height="1" />
      <rect x={Math.min(x, 99)} width={Math.max(width, 0.5)} height="1" />
    </svg>
  );
}

function Content({ turn, number }: { turn: Turn; number: number }) {
  switch (turn.kind) {
    case 'prompt':
      return <RenderedText shown={turn.text} label={`${turn.role} message of turn ${number}`} />;
    case 'reply':
      return (
        <>
          {turn.text && <RenderedText shown={turn.text} label={`reply of turn ${number}`} />}
          {turn.isOpen && <p className={css.quiet}>No reply yet</p>}
          {!turn.text && !turn.isOpen && turn.calls.length === 0 && <p className={css.quiet}>No text</p>}
          <ToolCalls calls={turn.calls} number={number} />
        </>
      );
    case 'tool':
      return <ToolCalls calls={turn.calls} number={number} />;
    case 'command':
      return (
        <>
          <code className={css.argv}>
            <Marked text={turn.argv} />
          </code>
          {turn.output && <RenderedText shown={turn.output} label={`output of turn ${number}`} isCode />}
          {turn.errors && <RenderedText shown={turn.errors} label={`errors of turn ${number}`} isCode />}
        </>
      );
    case 'output':
      return turn.text.value === '' ? (
        <p className={css.quiet}>The final output is blank.</p>
      ) : (
        <RenderedText shown={turn.text} label="final output of the transcript" />
      );
    case 'note':
      return (
        <>
          <p className={css.plain}>
            <Marked text={turn.text} />
          </p>
          {turn.whole && (
            <RenderedText shown={{ ...turn.whole, value: '' }} label={`messages of turn ${number}`} />
          )}
        </>
      );
  }
}

function ToolCalls({ calls, number }: { calls: readonly ToolCall[]; number: number }) {
  if (calls.length === 0) return null;
  return (
    <ol className={css.calls} aria-label={`tool calls of turn ${number}`}>
      {calls.map(({ key, name, arguments: given, result, isFailed, durationMs }) => (
        <li key={key} className={classes(css.call, isFailed && css.failed)}>
          <p className={css.callHead}>
            <code className={css.tool}>
              <Marked text={name} />
            </code>
            {isFailed && <Badge tone="bad">failed</Badge>}
            <span className={css.facts}>{durationText(durationMs).join('')}</span>
          </p>
          <RenderedText shown={given} label={`arguments of ${name} in turn ${number}`} isCode />
          {result ? (
            <RenderedText shown={result} label={`result of ${name} in turn ${number}`} isCode />
          ) : (
            <p className={css.quiet}>No result was sent back to the model</p>
          )}
        </li>
      ))}
    </ol>
  );
}

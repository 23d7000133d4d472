import { useLayoutEffect, useRef } from 'react';
import { classes } from '../design/classes.js';
import css from './lane.module.css';
import type { LaneView } from './race-feed.js';
import type { TailKind } from './tail-line.js';

/** Read before the line, seen as its colour and sign. */
const SIGNS: Record<TailKind, { sign: string; word: string }> = {
  assistant: { sign: '›', word: 'says' },
  prompt: { sign: '?', word: 'is asked' },
  tool: { sign: '⚙', word: 'calls' },
  result: { sign: '←', word: 'gets' },
  problem: { sign: '!', word: 'meets a problem' },
  output: { sign: '■', word: 'answers' },
};
const NEAR_END_PX = 24;

/** The last lines of a lane, which follow the newest unless somebody has scrolled up. */
export function LaneTail({ lane: { name, tail, streaming } }: { lane: LaneView }) {
  const ref = useRef<HTMLOListElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is something new.
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

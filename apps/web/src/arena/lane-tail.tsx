import { useLayoutEffect, useRef } from 'react';
import { classes } from '../design/classes.js';
import css from './lane.module.css';
import type { TailKind } from './lane-output.js';
import type { LaneView } from './race-feed.js';

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
export function LaneTail({ lane: { name, tail, streaming } }: { lane: LaneView }) {
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

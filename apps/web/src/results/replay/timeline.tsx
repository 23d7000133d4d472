import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../design/classes.js';
import css from './replay.module.css';
import { StepCard } from './step-card.js';
import type { Pair } from './steps.js';
import type { Traces } from './trace.js';

interface TimelineProps {
  pairs: readonly Pair[];
  traces: Readonly<Record<'left' | 'right', Traces>>;
  /** Whose steps they are, from left to right, where there are two. */
  names?: readonly [string, string] | undefined;
  /** Number of an event to begin at. */
  target: number | null;
}

const ROW_PX = 40;
const SIDES = ['left', 'right'] as const;

/** The steps of one or two attempts as a virtualized list. */
export function Timeline({ pairs, traces, names, target }: TimelineProps) {
  const isPaired = names !== undefined;
  const scroll = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const virtual = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const targetIndex =
    target === null ? -1 : pairs.findIndex(({ left }) => left?.sequence_numbers.includes(target));
  // Only another target moves the list, not what is loaded behind it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target scrolls.
  useEffect(() => {
    const step = pairs[targetIndex]?.left;
    if (step == null) return;
    setOpen((old) => new Set([...old, `left ${step.number}`]));
    virtual.scrollToIndex(targetIndex, { align: 'start' });
  }, [targetIndex, target]);
  const toggle = (key: string) =>
    setOpen((old) => {
      const next = new Set(old);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <div className={css.frame}>
      {names && (
        <p className={classes(css.names, css.paired)}>
          {names.map((name, index) => (
            <strong key={SIDES[index]}>{name}</strong>
          ))}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <section ref={scroll} className={css.scroll} tabIndex={0} aria-label="Timeline">
        <ol className={css.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const pair = pairs[index];
            if (pair === undefined) return null;
            return (
              <li
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={pairs.length}
                aria-posinset={index + 1}
                className={classes(css.row, isPaired && css.paired, index === targetIndex && css.target)}
                style={{ transform: `translateY(${start}px)` }}
              >
                {(isPaired ? SIDES : SIDES.slice(0, 1)).map((side) => {
                  const step = pair[side];
                  const key = `${side} ${step?.number}`;
                  return step === null ? (
                    <span key={side} />
                  ) : (
                    <StepCard
                      key={side}
                      step={step}
                      trace={traces[side].get(step.number)}
                      isOpen={open.has(key)}
                      onToggle={() => toggle(key)}
                    />
                  );
                })}
              </li>
            );
          })}
        </ol>
      </section>
    </div>
  );
}

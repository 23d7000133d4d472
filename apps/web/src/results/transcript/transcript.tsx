import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Filters, TextField, Toggle } from '../../design/field.js';
import { formatCount } from '../../design/format.js';
import { MarkedWords } from '../../design/marked.js';
import { Empty, Failure, Loading } from '../../design/states.js';
import { useFilters } from '../../navigation/use-filters.js';
import { attemptAddress } from '../full-attempt.js';
import { totalsText } from '../replay/trace.js';
import type { useSteps } from '../replay/use-steps.js';
import { hasWords } from './call-figures.js';
import { TextSourceContext } from './rendered-text.js';
import css from './transcript.module.css';
import { transcriptOf } from './transcript-of.js';
import { TurnView } from './turn-view.js';
import { heightOf, spanOf, type Turn } from './turns.js';

interface TranscriptProps {
  attemptId: string;
  steps: ReturnType<typeof useSteps>;
}

/** An attempt as a conversation from its start. */
export function Transcript({ attemptId, steps }: TranscriptProps) {
  const { items, more, error, isPending, refetch } = steps;
  const [get, set] = useFilters();
  const [isRaw, setRaw] = useState(false);
  const words = get('words');
  const turns = useMemo(() => transcriptOf(items), [items]);
  const numbered = useMemo(() => turns.map((turn, index) => ({ turn, number: index + 1 })), [turns]);
  const wanted = useDeferredValue(words.trim().toLowerCase());
  const shown = useMemo(
    () => (wanted === '' ? numbered : numbered.filter(({ turn }) => hasWords(turn, wanted))),
    [numbered, wanted],
  );
  const eventsOf = useCallback(
    (step: number) => {
      const event = String(items[step - 1]?.sequence_numbers[0] ?? 1);
      return attemptAddress(attemptId, { tab: 'events', event });
    },
    [items, attemptId],
  );
  const source = useMemo(() => ({ attemptId, isRaw }), [attemptId, isRaw]);
  if (error && items.length === 0) return <Failure error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading what="the transcript" />;
  const totals = totalsText(items);
  return (
    <>
      <Filters>
        <TextField
          label="Find in transcript"
          type="search"
          value={words}
          onChange={({ target }) => set({ words: target.value })}
        />
        <Toggle label="As plain text" checked={isRaw} onChange={({ target }) => setRaw(target.checked)} />
      </Filters>
      <p className={css.totals}>
        <span>
          {shown.length === turns.length ? '' : `${formatCount(shown.length)} of `}
          {formatCount(turns.length)} {turns.length === 1 ? 'turn' : 'turns'}
          {more !== undefined && ' so far; loading more …'}
        </span>{' '}
        {totals !== '' && <span className="figures">{totals}</span>}
      </p>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {shown.length === 0 ? (
        <Empty title={turns.length === 0 ? 'Nothing recorded yet' : 'No turns match'} />
      ) : (
        <TextSourceContext.Provider value={source}>
          <MarkedWords.Provider value={wanted}>
            <Turns shown={shown} all={turns} eventsOf={eventsOf} />
          </MarkedWords.Provider>
        </TextSourceContext.Provider>
      )}
    </>
  );
}

interface TurnsProps {
  shown: readonly { turn: Turn; number: number }[];
  all: readonly Turn[];
  eventsOf: (step: number) => string;
}

/** The turns as a list that holds those in view alone. It scrolls with the page. */
function Turns({ shown, all, eventsOf }: TurnsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  const span = useMemo(() => spanOf(all), [all]);
  // The content above changes its height while it loads.
  useLayoutEffect(() => {
    const at = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(at - top) > 1) setTop(at);
  });
  const virtual = useWindowVirtualizer({
    count: shown.length,
    estimateSize: (index) => heightOf(shown[index]?.turn),
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => shown[index]?.number ?? index,
  });
  return (
    <ol ref={list} className={css.list} style={{ height: virtual.getTotalSize() }} aria-label="Transcript">
      {virtual.getVirtualItems().map(({ index, start, key }) => {
        const each = shown[index];
        if (each === undefined) return null;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={shown.length}
            aria-posinset={index + 1}
            className={css.row}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            <TurnView turn={each.turn} number={each.number} span={span} eventsOf={eventsOf} />
          </li>
        );
      })}
    </ol>
  );
}

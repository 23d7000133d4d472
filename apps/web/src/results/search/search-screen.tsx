import { distinctMatches, routes, type TranscriptMatch } from '@agentclash/api';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { usePages } from '../../data/use-pages.js';
import { useRead } from '../../data/use-read.js';
import { useSettled } from '../../data/use-settled.js';
import { Button } from '../../design/button.js';
import { Filters, SelectField, TextField } from '../../design/field.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { Empty, Failure, Loading } from '../../design/states.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { RunFrame } from '../../runs/run-frame.js';
import { attemptAddress, attemptName } from '../full-attempt.js';
import css from './search.module.css';

/** Shorter texts are in every event. */
const CHARACTERS_MIN = 2;
const CHARACTERS_MAX = 200;
/** Matches that are on the screen before further ones are loaded on demand. */
const SHOWN_FIRST = 20;

/** Search in what the agents of a run received, wrote and did. */
export default function SearchScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="search">
      {() => <Search runId={runId} />}
    </RunFrame>
  );
}

function Search({ runId }: { runId: string }) {
  const { items: agents = [] } = useRead(routes.runs.agents, { params: { run_id: runId } }).data ?? {};
  const [get, set] = useFilters();
  const [text, agent, caseKey] = [get('q'), get('agent'), get('case')];
  const q = useSettled(text.trim());
  const isFiltered = text !== '' || agent !== '' || caseKey !== '';
  return (
    <>
      <Filters onClear={isFiltered ? () => set({ q: '', agent: '', case: '' }) : undefined}>
        <TextField
          label="Text"
          type="search"
          maxLength={CHARACTERS_MAX}
          value={text}
          onChange={({ target }) => set({ q: target.value })}
        />
        {agents.length > 1 && (
          <SelectField label="Agent" value={agent} onChange={({ target }) => set({ agent: target.value })}>
            <option value="">all</option>
            {agents.map(({ id: lane, name }) => (
              <option key={lane} value={lane}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Case"
          type="search"
          placeholder="key"
          value={caseKey}
          onChange={({ target }) => set({ case: target.value })}
        />
      </Filters>
      {q.length < CHARACTERS_MIN ? (
        <Empty title="Find a text in the messages, replies, tool calls and outputs of the attempts" />
      ) : (
        <Matches
          runId={runId}
          query={{ q, ...(agent && { run_agent_id: agent }), ...(caseKey && { case_key: caseKey }) }}
        />
      )}
    </>
  );
}

interface MatchesProps {
  runId: string;
  query: { q: string; run_agent_id?: string; case_key?: string };
}

function Matches({ runId, query }: MatchesProps) {
  const found = usePages(routes.runs.search, { params: { run_id: runId }, query });
  const { items: all, last, error, isPending, isFetchingMore, more, refetch } = found;
  const items = useMemo(() => distinctMatches(all), [all]);
  // A page ends after a part of the history, with matches or without.
  const isSearching = more !== undefined && items.length < SHOWN_FIRST && !error;
  useEffect(() => {
    if (isSearching && !isFetchingMore) more();
  }, [isSearching, isFetchingMore, more]);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Loading what="the matches" />;
  const part =
    last && more ? `; ${formatCount(last.searched)} of ${formatCount(last.events)} events searched` : '';
  const count = `${formatCount(items.length)} ${items.length === 1 ? 'match' : 'matches'}`;
  return (
    <>
      {(items.length > 0 || isSearching) && (
        <p role="status">
          {count}
          {more && ' so far'}
          {part}
        </p>
      )}
      {items.length === 0 && !isSearching && <Empty title="No event of the attempts has this text" />}
      <ul className={css.list}>
        {items.map((match) => (
          <li key={`${match.attempt_id} ${match.delivery} ${match.sequence_number}`}>
            <Match match={match} />
          </li>
        ))}
      </ul>
      {more && !isSearching && (
        <Button onClick={more} isBusy={isFetchingMore}>
          Search further
        </Button>
      )}
    </>
  );
}

function Match({ match }: { match: TranscriptMatch }) {
  const { attempt_id, case_key, event_type, sequence_number, before, match: text, after } = match;
  const address = attemptAddress(attempt_id, { tab: 'events', event: String(sequence_number) });
  return (
    <Panel>
      <Link to={address}>
        {case_key}, {attemptName(match)}
      </Link>{' '}
      <span className={css.facts}>
        event {sequence_number}, <code>{event_type}</code>
      </span>
      <p className={css.excerpt}>
        {before}
        <mark>{text}</mark>
        {after}
      </p>
    </Panel>
  );
}

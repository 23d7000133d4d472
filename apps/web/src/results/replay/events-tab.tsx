import { routes } from '@agentclash/api';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { Button } from '../../design/button.js';
import { Filters, SelectField, TextField } from '../../design/field.js';
import { formatCount } from '../../design/format.js';
import { Empty, Failure, Loading } from '../../design/states.js';
import { useFilters } from '../../navigation/use-filters.js';
import { attemptAddress, attemptName, type FullAttempt } from '../full-attempt.js';
import { useRecordedAttempt } from './divergence.js';
import css from './replay.module.css';
import { align, choose, firstProblem, isProblem, KINDS, loadedText, type Pair } from './steps.js';
import { Timeline } from './timeline.js';
import { totalsText, tracesOf } from './trace.js';
import { TEXT_MAX, useSteps } from './use-steps.js';

interface EventsTabProps {
  attempt: FullAttempt;
  steps: ReturnType<typeof useSteps>;
}

/** The steps of an attempt as they were recorded, alone or beside another attempt. */
export function EventsTab({ attempt, steps: mine }: EventsTabProps) {
  const [get, set] = useFilters();
  const kind = KINDS.find((known) => known === get('kind')) ?? 'all';
  const [text, peerId] = [get('q'), get('with')];
  const theirs = useSteps(peerId, { enabled: peerId !== '' });
  const pairs = useMemo((): Pair[] => {
    const left = choose(mine.items, kind, text);
    if (peerId === '') return left.map((step) => ({ left: step, right: null }));
    return align(left, choose(theirs.items, kind, text));
  }, [mine.items, theirs.items, kind, text, peerId]);
  const traces = useMemo(
    () => ({ left: tracesOf(mine.items), right: tracesOf(theirs.items) }),
    [mine.items, theirs.items],
  );
  const totals = useMemo(() => totalsText(mine.items), [mine.items]);
  const { data: peer } = useRead(
    routes.attempts.get,
    { params: { attempt_id: peerId } },
    { enabled: peerId !== '' },
  );
  const shown = pairs.flatMap(({ left }) => left ?? []);
  const failure = firstProblem(shown);
  const isOnlyJudged = attempt.passed === false && mine.more === undefined && !mine.items.some(isProblem);
  const hasCuts = text !== '' && mine.items.some(({ cuts }) => cuts !== undefined);
  return (
    <>
      <Filters>
        <TextField
          label="Search"
          type="search"
          value={text}
          onChange={({ target }) => set({ q: target.value })}
        />
        <SelectField label="Show" value={kind} onChange={({ target }) => set({ kind: target.value })}>
          {KINDS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <PeerChoice attempt={attempt} value={peerId} onChange={(id) => set({ with: id })} />
      </Filters>
      <div className={css.tools}>
        <Button
          disabled={failure === undefined}
          onClick={() => set({ event: String(failure?.sequence_numbers.at(-1) ?? '') })}
        >
          Jump to the first failure
        </Button>
        {!mine.isPending && (
          <p>
            {loadedText({ shown: shown.length, loaded: mine.items.length, isAll: mine.more === undefined })}
            {hasCuts && `; search covers the first ${formatCount(TEXT_MAX)} characters of a text`}
            {isOnlyJudged && (
              <>
                , none failed: see the <Link to={attemptAddress(attempt.id, { tab: 'scores' })}>scores</Link>
              </>
            )}
          </p>
        )}
        {totals !== '' && <p className="figures">{totals}</p>}
      </div>
      {theirs.error ? <Failure error={theirs.error} onRetry={() => void theirs.refetch()} /> : null}
      {mine.error ? <Failure error={mine.error} onRetry={() => void mine.refetch()} /> : null}
      {mine.isPending && <Loading what="the replay" />}
      {!mine.isPending && pairs.length === 0 && (
        <Empty title={mine.more === undefined ? 'No steps match' : 'No steps match so far'} />
      )}
      {pairs.length > 0 && (
        <Timeline
          pairs={pairs}
          traces={traces}
          names={
            peer && [attemptName(attempt), peer.run_id === attempt.run_id ? attemptName(peer) : RECORDED]
          }
          target={Number(get('event')) || null}
        />
      )}
    </>
  );
}

const RECORDED = 'the recorded attempt';

interface PeerChoiceProps {
  attempt: FullAttempt;
  value: string;
  onChange: (attemptId: string) => void;
}

/** Selects the attempt of another agent, or another repetition, to compare with this one. */
function PeerChoice({ attempt, value, onChange }: PeerChoiceProps) {
  const { run_id, case_key } = attempt;
  const all = useAll(routes.runs.attempts, { params: { run_id }, query: { case_key } });
  const peers = (all.data ?? []).filter(({ id }) => id !== attempt.id);
  const recorded = useRecordedAttempt(attempt);
  return (
    <SelectField label="Compare with" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">none</option>
      {recorded && <option value={recorded.id}>{RECORDED}</option>}
      {peers.map((peer) => (
        <option key={peer.id} value={peer.id}>
          {attemptName(peer)}
        </option>
      ))}
    </SelectField>
  );
}

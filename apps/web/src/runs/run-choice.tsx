import { type CallOptions, type Run, routes, runTitle } from '@agentclash/api';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useAll } from '../data/use-all.js';
import { usePages } from '../data/use-pages.js';
import { useRead } from '../data/use-read.js';
import { useSettled } from '../data/use-settled.js';
import { Button } from '../design/button.js';
import { Dialog } from '../design/dialog.js';
import { LabelledControl, TextField, tied } from '../design/field.js';
import { formatAgo, formatCount } from '../design/format.js';
import { Empty, Failure, Loading } from '../design/states.js';
import { modelCallsMark } from './model-calls-badge.js';
import css from './run-choice.module.css';
import { RunName } from './run-name.js';

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface RunChoiceProps {
  label: string;
  /** The id of a run or the name of a baseline; empty while nothing is chosen. */
  value: string;
  /** The lane too where a baseline names one. */
  onChange: (value: string, lane?: string) => void;
  /** True when a baseline's name may be given in place of a run. */
  mayBeBaseline?: boolean;
  /** The runs to choose from; default: the completed ones. */
  among?: RunsAmong;
  hint?: ReactNode;
  problem?: ReactNode;
}

/** Some of the runs of a workspace. */
interface RunsAmong {
  query: Omit<NonNullable<CallOptions<typeof routes.runs.list>['query']>, 'q' | 'limit' | 'cursor'>;
  /** Of the runs that the query finds. */
  isOffered?: (run: Run) => boolean;
  /** Names them: `completed runs`. */
  name: string;
}

const COMPLETED: RunsAmong = { query: { status: 'completed' }, name: 'completed runs' };

/** Selects one of the runs of a workspace; the server searches and pages them. */
export function RunChoice({
  label,
  value,
  onChange,
  mayBeBaseline = false,
  among = COMPLETED,
  hint,
  problem,
}: RunChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const frame = { label, hint, problem };
  const isRun = ID.test(value);
  const run = useRead(routes.runs.get, { params: { run_id: value } }, { enabled: isRun });
  const name = isRun ? runTitle(run.data ?? { id: value }) : `baseline ${value}`;
  const choose = (next: string, lane?: string) => {
    setOpen(false);
    onChange(next, lane);
  };
  return (
    <LabelledControl id={id} {...frame}>
      <Button
        {...tied(id, frame)}
        className={css.choice ?? ''}
        aria-haspopup="dialog"
        aria-label={`${label}: ${value === '' ? 'choose a run' : name}`}
        onClick={() => setOpen(true)}
      >
        <span className={css.chosen}>{value === '' ? 'Choose a run …' : name}</span>
      </Button>
      <Dialog title={`${label}: choose a run`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <RunOptions value={value} onChoose={choose} mayBeBaseline={mayBeBaseline} among={among} />
        <div className={css.buttons}>
          {value !== '' && <Button onClick={() => choose('')}>Clear</Button>}
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </LabelledControl>
  );
}

const PAGE = 20;

interface RunOptionsProps {
  value: string;
  onChoose: (value: string, lane?: string) => void;
  mayBeBaseline: boolean;
  among: RunsAmong;
}

/** The baselines, then the runs, newest first; searched by part of their name or pack. */
function RunOptions({ value, onChoose, mayBeBaseline, among }: RunOptionsProps) {
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const { isOffered = () => true } = among;
  const query = { ...among.query, limit: PAGE, ...(q !== '' && { q }) };
  const runs = usePages(routes.runs.list, { query });
  const offered = runs.items.filter(isOffered);
  const baselines = useAll(routes.baselines.list, {}, { enabled: mayBeBaseline });
  const wanted = q.toLowerCase();
  // Another choice may have loaded the baselines.
  const named = (mayBeBaseline ? (baselines.data ?? []) : []).filter(({ name, pack = '' }) =>
    `${name} ${pack}`.toLowerCase().includes(wanted),
  );
  const { error, isPending, isFetchingMore, more } = runs;
  const isEmpty = !isPending && offered.length === 0 && named.length === 0;
  return (
    <div className={css.body}>
      <TextField
        label="Search"
        hint="Part of the name of a run or a pack, a number such as #42, or the beginning of an id"
        type="search"
        autoFocus
        onKeyDown={keepFromForm}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {error ? <Failure error={error} onRetry={() => void runs.refetch()} /> : null}
      {isPending && !error && <Loading what="runs" />}
      {isEmpty && <Empty title={q === '' ? `No ${among.name} yet` : `No ${among.name} match`} />}
      {(offered.length > 0 || named.length > 0) && (
        <ul className={css.list} aria-label="Runs to choose from">
          {named.map(({ name, pack = '', input_set = '', run_id, agent_name }) => (
            <Option
              key={`baseline ${name} ${pack} ${input_set}`}
              title={`baseline ${name}`}
              about={
                <>
                  {pack}, {input_set}; <RunName id={run_id} />
                  {agent_name !== null && `, ${agent_name}`}
                </>
              }
              isChosen={value === run_id}
              onChoose={() => onChoose(run_id, agent_name ?? '')}
            />
          ))}
          {offered.map(({ id, number, name, pack, input_set, progress, created_at, model_calls }) => (
            <Option
              key={id}
              title={runTitle({ id, number, name })}
              about={`${pack.slug} v${pack.version_number}, ${input_set.key}; ${formatCount(progress.total)} attempts; ${formatAgo(created_at)}${model_calls ? `; ${modelCallsMark(model_calls)}` : ''}`}
              isChosen={value === id}
              onChoose={() => onChoose(id)}
            />
          ))}
        </ul>
      )}
      {more && (
        <Button onClick={more} isBusy={isFetchingMore}>
          More runs
        </Button>
      )}
    </div>
  );
}

/** Enter in the search does not submit a form around the choice. */
function keepFromForm(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter') event.preventDefault();
}

interface OptionProps {
  title: string;
  about: ReactNode;
  isChosen: boolean;
  onChoose: () => void;
}

function Option({ title, about, isChosen, onChoose }: OptionProps) {
  return (
    <li>
      <button type="button" className={css.option} aria-pressed={isChosen} onClick={onChoose}>
        <span className={css.name}>{title}</span>
        <span className={css.about}>{about}</span>
      </button>
    </li>
  );
}

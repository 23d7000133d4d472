import { routes } from '@agentclash/api';
import { useState } from 'react';
import { useAll } from '../../data/use-all.js';
import { usePages } from '../../data/use-pages.js';
import { useSettled } from '../../data/use-settled.js';
import { Button } from '../../design/button.js';
import { Empty } from '../../design/empty.js';
import { Failure } from '../../design/failure.js';
import { TextField } from '../../design/field.js';
import { formatAgo, formatCount } from '../../design/format.js';
import { Loading } from '../../design/loading.js';
import { runName } from '../../runs/run-name.js';
import css from './run-choice.module.css';

const PAGE = 20;

interface RunOptionsProps {
  value: string;
  onChoose: (value: string, lane?: string) => void;
  mayBeBaseline: boolean;
}

/** The baselines, then completed runs, newest first; searched by part of their name or pack. */
export function RunOptions({ value, onChoose, mayBeBaseline }: RunOptionsProps) {
  const [text, setText] = useState('');
  const q = useSettled(text.trim());
  const query = { status: 'completed' as const, limit: PAGE, ...(q !== '' && { q }) };
  const runs = usePages(routes.runs.list, { query });
  const baselines = useAll(routes.baselines.list, {}, { enabled: mayBeBaseline });
  const wanted = q.toLowerCase();
  // Another choice may have loaded the baselines.
  const named = (mayBeBaseline ? (baselines.data ?? []) : []).filter(({ name, pack = '' }) =>
    `${name} ${pack}`.toLowerCase().includes(wanted),
  );
  const { error, isPending, isFetchingMore, more } = runs;
  const isEmpty = !isPending && runs.items.length === 0 && named.length === 0;
  return (
    <div className={css.body}>
      <TextField
        label="Search"
        hint="Part of the name of a run or a pack"
        type="search"
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {error ? <Failure error={error} onRetry={() => void runs.refetch()} /> : null}
      {isPending && !error && <Loading what="runs" />}
      {isEmpty && <Empty title={q === '' ? 'No completed runs yet' : 'No completed runs match'} />}
      {(runs.items.length > 0 || named.length > 0) && (
        <ul className={css.list} aria-label="Runs to choose from">
          {named.map(({ name, pack = '', input_set = '', run_id, agent_name }) => (
            <Option
              key={`baseline ${name} ${pack} ${input_set}`}
              title={`baseline ${name}`}
              about={`${pack}, ${input_set}; ${runName(run_id, null)}${agent_name === null ? '' : `, ${agent_name}`}`}
              isChosen={value === run_id}
              onChoose={() => onChoose(run_id, agent_name ?? '')}
            />
          ))}
          {runs.items.map(({ id, name, pack, input_set, progress, created_at }) => (
            <Option
              key={id}
              title={runName(id, name)}
              about={`${pack.slug} v${pack.version_number}, ${input_set.key}; ${formatCount(progress.total)} attempts; ${formatAgo(created_at)}`}
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

interface OptionProps {
  title: string;
  about: string;
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

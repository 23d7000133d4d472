import { type Failure, type Run, routes } from '@agentclash/api';
import { hasRunEnded, type RunStatus } from '@agentclash/domain';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { allPages } from '../../data/all-pages.js';
import { Loaded } from '../../data/loaded.js';
import { useFirst } from '../../data/use-all.js';
import { Downloads } from '../../design/downloads.js';
import { Filters, SelectField, TextField } from '../../design/field.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { Empty } from '../../design/states.js';
import { type AllItems, FILE_ROWS_MAX, type FileRecord } from '../../design/table-file.js';
import { SavedViews } from '../../navigation/saved-views.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { RunFrame } from '../../runs/run-frame.js';
import { useSession } from '../../session/session.js';
import { counted, FailureGroupItem } from './failure-group-item.js';
import css from './failures.module.css';
import { filterFailures, groupFailures, reasonOf } from './group-failures.js';

/** Failures that are loaded; they come with the most frequent first. */
const FAILURES_MAX = 2_000;
/** Groups whose examples are loaded at once: each takes a request. */
const EXAMPLES = 20;

/** The failures of a run, grouped by agent and reason. */
export default function FailuresScreen({ params: { runId } }: ScreenProps<'runId'>) {
  return (
    <RunFrame runId={runId} tab="failures">
      {(run) => <Failures run={run} />}
    </RunFrame>
  );
}

const NOTHING: Partial<Record<RunStatus, string>> = {
  completed: 'No failures',
  cancelled: 'The run was cancelled before its failures were classified',
  failed: 'No attempt could be graded: there are no failures to classify',
};

function Failures({ run }: { run: Run }) {
  const params = { run_id: run.id };
  const failures = useFirst(routes.runs.failures, { params }, { max: FAILURES_MAX, status: run.status });
  return (
    <Loaded of={failures} what="failures">
      {(all) =>
        all.items.length === 0 ? (
          <Empty title={NOTHING[run.status] ?? 'Failures are classified after the run has been ranked'} />
        ) : (
          <Groups run={run} all={all} />
        )
      }
    </Loaded>
  );
}

function Groups({ run, all: { items, isCut } }: { run: Run; all: AllItems<Failure> }) {
  const [get, set] = useFilters();
  const [agent, reason, text] = [get('agent'), get('reason'), get('q')];
  const groups = useMemo(
    () => groupFailures(filterFailures(items, { agent, reason, text })),
    [items, agent, reason, text],
  );
  const { client } = useSession();
  const records = async () => {
    const options = { params: { run_id: run.id } };
    const list = { client, route: routes.runs.failures, options };
    const all = isCut ? await allPages(list, { max: FILE_ROWS_MAX }) : { items, isCut };
    return { ...all, items: filterFailures(all.items, { agent, reason, text }).map(recordOf) };
  };
  const attempts = groups.reduce((sum, group) => sum + group.attempts, 0);
  const again = new URLSearchParams({ like: run.id, only_failed: run.id });
  const isFiltered = agent !== '' || reason !== '' || text !== '';
  return (
    <>
      {hasRunEnded(run.status) && (
        <p>
          <Link to={`/runs/new?${again}`}>Rerun failed cases</Link>
        </p>
      )}
      <FailureFilters
        items={items}
        onClear={isFiltered ? () => set({ agent: '', reason: '', q: '' }) : undefined}
      />
      <SavedViews list="failures" />
      <p role="status">
        {counted(groups.length, 'group')}, {counted(attempts, 'failed attempt')}
      </p>
      {isCut && (
        <p>
          Only the first {formatCount(FAILURES_MAX)} failures are grouped, the most frequent ones; the run has
          more.
        </p>
      )}
      {groups.length === 0 ? (
        <Empty title="No failures match" />
      ) : (
        <Panel isFlush>
          <ul className={css.list} aria-label="Groups of failures">
            {groups.map((group, at) => (
              <FailureGroupItem key={group.key} runId={run.id} group={group} hasExample={at < EXAMPLES} />
            ))}
          </ul>
          <Downloads label="Failures" records={records} />
        </Panel>
      )}
    </>
  );
}

interface FailureFiltersProps {
  items: readonly Failure[];
  onClear: (() => void) | undefined;
}

function FailureFilters({ items, onClear }: FailureFiltersProps) {
  const [get, set] = useFilters();
  const agents = new Map(items.map(({ run_agent_id, agent_name }) => [run_agent_id, agent_name]));
  const reasons = [...new Set(items.map(reasonOf))].sort();
  return (
    <Filters onClear={onClear}>
      <TextField
        label="Search"
        type="search"
        placeholder="case, reason or code"
        value={get('q')}
        onChange={({ target }) => set({ q: target.value })}
      />
      <SelectField label="Agent" value={get('agent')} onChange={({ target }) => set({ agent: target.value })}>
        <option value="">all</option>
        {[...agents].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Reason"
        value={get('reason')}
        onChange={({ target }) => set({ reason: target.value })}
      >
        <option value="">all</option>
        {reasons.map((known) => (
          <option key={known}>{known}</option>
        ))}
      </SelectField>
    </Filters>
  );
}

/** All that the API has of a failure. */
function recordOf({ failing_keys, ...values }: Failure): FileRecord {
  return { ...values, failing_keys: failing_keys.join('; ') };
}

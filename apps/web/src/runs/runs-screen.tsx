import { type Run, routes } from '@agentclash/api';
import { MODEL_CALL_MODES, RUN_STATUSES } from '@agentclash/domain';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { useSettled } from '../data/use-settled.js';
import { Badge } from '../design/badge.js';
import { Button, ButtonLink } from '../design/button.js';
import { Filters, SelectField, TextField } from '../design/field.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { useFilters } from '../navigation/use-filters.js';
import { useMay } from '../session/session.js';
import { ModelCallsBadge, modelCallsMark } from './model-calls-badge.js';
import { runName } from './run-name.js';
import { RunProgress, RunStatusBadge } from './run-progress.js';

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<Run>[] = [
  {
    key: 'name',
    title: 'Run',
    cell: ({ id, name }) => <Link to={`/runs/${id}`}>{runName(id, name)}</Link>,
  },
  {
    key: 'pack',
    title: 'Pack',
    cell: ({ pack, input_set }) => `${pack.slug} v${pack.version_number}, ${input_set.key}`,
  },
  {
    key: 'status',
    title: 'Status',
    cell: (run) => (
      <>
        <RunStatusBadge status={run.status} /> <ModelCallsBadge run={run} />{' '}
        {run.stopped && <Badge tone="accent">stopped: {run.stopped}</Badge>}
      </>
    ),
  },
  { key: 'progress', title: 'Attempts', cell: ({ progress }) => <RunProgress progress={progress} /> },
  { key: 'by', title: 'By', isMinor: true, cell: ({ created_by }) => created_by },
  { key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** Filters by something's name. */
const NAMED = [
  { name: 'pack', label: 'Pack', placeholder: 'slug' },
  { name: 'deployment', label: 'Deployment', placeholder: 'name or id' },
  { name: 'label', label: 'Label', placeholder: 'key=value' },
] as const;

/** The runs of the workspace, newest first, refreshed periodically. */
export default function RunsScreen() {
  const [get, set] = useFilters();
  const status = RUN_STATUSES.find((known) => known === get('status'));
  const modelCalls = MODEL_CALL_MODES.find((known) => known === get('model_calls'));
  const text = get('q');
  const q = useSettled(text.trim());
  const query = {
    ...(status && { status }),
    ...Object.fromEntries(NAMED.flatMap(({ name }) => (get(name) ? [[name, get(name)]] : []))),
    ...(modelCalls && { model_calls: modelCalls }),
    ...(q && { q }),
  };
  const runs = usePages(routes.runs.list, { query }, { refetchInterval: REFRESH_MS });
  const mayStart = useMay('member');
  const clear = () =>
    set(
      Object.fromEntries(
        ['q', 'status', 'model_calls', ...NAMED.map(({ name }) => name)].map((name) => [name, '']),
      ),
    );
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page
      title="Runs"
      lead="All runs of this workspace, newest first"
      actions={
        mayStart && (
          <ButtonLink to="/runs/new" kind="primary">
            Start a run
          </ButtonLink>
        )
      }
    >
      <Filters>
        <TextField
          label="Search"
          type="search"
          placeholder="run or pack"
          value={text}
          onChange={({ target }) => set({ q: target.value })}
        />
        <SelectField
          label="Status"
          value={status ?? ''}
          onChange={({ target }) => set({ status: target.value })}
        >
          <option value="">any</option>
          {RUN_STATUSES.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </SelectField>
        <SelectField
          label="Model calls"
          value={modelCalls ?? ''}
          onChange={({ target }) => set({ model_calls: target.value })}
        >
          <option value="">any</option>
          {MODEL_CALL_MODES.map((known) => (
            <option key={known} value={known}>
              {modelCallsMark(known)}
            </option>
          ))}
        </SelectField>
        {NAMED.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            type="search"
            placeholder={placeholder}
            value={get(name)}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ))}
      </Filters>
      <PagedTable
        what="runs"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        of={runs}
        empty={{
          title: isFiltered ? 'No runs match' : 'No runs yet',
          children: isFiltered ? (
            <Button onClick={clear}>Clear filters</Button>
          ) : (
            mayStart && (
              <p>
                <Link to="/packs/check">Publish a pack</Link>,{' '}
                <Link to="/deployments">create deployments</Link>, then{' '}
                <Link to="/runs/new">start a run</Link>.
              </p>
            )
          ),
        }}
      />
    </Page>
  );
}

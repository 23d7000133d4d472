import { RUN_STATUSES, type Run, routes } from '@agentclash/api';
import { Link, useSearchParams } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { Button, ButtonLink } from '../design/button.js';
import { Empty } from '../design/empty.js';
import { Failure } from '../design/failure.js';
import { SelectField, TextField } from '../design/field.js';
import { Filters } from '../design/filters.js';
import { Loading } from '../design/loading.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { type Column, Table } from '../design/table.js';
import { Ago } from '../design/time.js';
import { useMay } from '../session/session.js';
import { RunProgress } from './run-progress.js';
import { isOver, RunStatusBadge } from './run-status.js';

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<Run>[] = [
  {
    key: 'name',
    title: 'Run',
    cell: (run) => <Link to={`/runs/${run.id}`}>{run.name ?? run.id}</Link>,
  },
  {
    key: 'pack',
    title: 'Pack',
    cell: ({ pack, input_set }) => `${pack.slug} v${pack.version_number}, ${input_set.key}`,
  },
  { key: 'status', title: 'State', cell: ({ status }) => <RunStatusBadge status={status} /> },
  { key: 'progress', title: 'Attempts', cell: ({ progress }) => <RunProgress progress={progress} /> },
  { key: 'by', title: 'By', isMinor: true, cell: ({ created_by }) => created_by },
  { key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** The runs of the workspace, newest first, kept up to date while some are at work. */
export default function RunsScreen() {
  const [search, setSearch] = useSearchParams();
  const status = RUN_STATUSES.find((known) => known === search.get('status'));
  const pack = search.get('pack') ?? '';
  const label = search.get('label') ?? '';
  const query = { ...(status && { status }), ...(pack && { pack }), ...(label && { label }) };
  const { items, error, isPending, isFetchingMore, more, refetch } = usePages(
    routes.runs.list,
    { query },
    { refetchInterval: REFRESH_MS },
  );
  const mayStart = useMay('member');
  const set = (name: string, value: string) =>
    setSearch(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page
      title="Runs"
      lead={`${items.filter((run) => !isOver(run.status)).length} at work`}
      actions={
        mayStart && (
          <ButtonLink to="/runs/new" kind="primary">
            Start a run
          </ButtonLink>
        )
      }
    >
      <Filters>
        <SelectField
          label="State"
          value={status ?? ''}
          onChange={({ target }) => set('status', target.value)}
        >
          <option value="">any</option>
          {RUN_STATUSES.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </SelectField>
        <TextField
          label="Pack"
          type="search"
          placeholder="slug"
          value={pack}
          onChange={({ target }) => set('pack', target.value)}
        />
        <TextField
          label="Label"
          type="search"
          placeholder="key=value"
          value={label}
          onChange={({ target }) => set('label', target.value)}
        />
      </Filters>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Loading what="runs" />}
      {!isPending && items.length === 0 && (
        <Empty title={isFiltered ? 'No run is like that.' : 'Nothing has been raced yet.'}>
          {!isFiltered && mayStart && (
            <p>
              <Link to="/packs/check">Publish a pack</Link>, then <Link to="/runs/new">start a run</Link>.
            </p>
          )}
        </Empty>
      )}
      {items.length > 0 && (
        <Panel isFlush>
          <Table label="Runs" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
        </Panel>
      )}
      {more && (
        <Button onClick={more} isBusy={isFetchingMore}>
          Older runs
        </Button>
      )}
    </Page>
  );
}

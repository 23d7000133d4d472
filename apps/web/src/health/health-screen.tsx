import { ApiError, routes } from '@agentclash/api';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { Empty, Failure, Loading } from '../design/states.js';
import { type Column, Table } from '../design/table.js';
import { RunProgress } from '../runs/run-progress.js';
import { useSession } from '../session/session.js';
import css from './load.module.css';
import { Services } from './services.js';

const REFRESH_MS = 5_000;

interface Component {
  name: string;
  state: string;
}

const COLUMNS: readonly Column<Component>[] = [
  { key: 'name', title: 'Component', cell: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={state === 'ok' ? 'good' : 'bad'}>{state}</Badge>,
  },
];

/** Health of the installation: gateway, services and executors. */
export default function HealthScreen() {
  const { data, error } = useReadiness();
  const { whoami } = useSession();
  const parts = Object.entries(data?.parts ?? {}).map(([name, state]) => ({ name, state }));
  return (
    <Page
      title="Health"
      lead={data && <Badge tone={data.ready ? 'good' : 'bad'}>{data.ready ? 'ready' : 'not ready'}</Badge>}
    >
      {error && <Failure error={error} />}
      {!data && !error && <Loading what="the state of the installation" />}
      {data && (
        <Panel title="Gateway" isFlush>
          <Table label="Gateway" columns={COLUMNS} rows={parts} keyOf={({ name }) => name} />
        </Panel>
      )}
      <Services />
      {whoami.role !== 'operator' && <Load />}
    </Page>
  );
}

interface Readiness {
  ready: boolean;
  parts: Record<string, string>;
}

/** A 503 is a result here: it names the unavailable components. */
function useReadiness() {
  const { client } = useSession();
  return useQuery<Readiness>({
    queryKey: [routes.service.readiness.path],
    queryFn: async ({ signal }) => {
      try {
        return await client.call(routes.service.readiness, { signal });
      } catch (error) {
        const parts = error instanceof ApiError ? error.facts.parts : undefined;
        if (typeof parts === 'object' && parts !== null)
          return { ready: false, parts: parts as Readiness['parts'] };
        throw error;
      }
    },
    refetchInterval: REFRESH_MS,
  });
}

/** The running runs of the workspace. */
function Load() {
  const runs = useRead(
    routes.runs.list,
    { query: { status: 'running', limit: 20 } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Panel title="Active runs">
      <Loaded of={runs} what="the active runs">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No active runs" />
          ) : (
            <ul className={css.runs}>
              {items.map(({ id, name, pack, progress }) => (
                <li key={id}>
                  <Link to={`/runs/${id}`}>{name ?? pack.name}</Link>
                  <RunProgress progress={progress} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

import { ApiError, routes } from '@agentclash/api';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../design/badge.js';
import { Failure } from '../design/failure.js';
import { Loading } from '../design/loading.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { type Column, Table } from '../design/table.js';
import { useSession } from '../session/session.js';
import { Load } from './load.js';
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

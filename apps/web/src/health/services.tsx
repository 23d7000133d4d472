import { type ResponseOutput, routes } from '@agentclash/api';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { formatCount, NOTHING } from '../design/format.js';
import { Panel } from '../design/panel.js';
import { Empty } from '../design/states.js';
import { type Column, Table } from '../design/table.js';

const REFRESH_MS = 5_000;

type Installation = ResponseOutput<typeof routes.service.installation>;
type Service = Installation['services'][number];
type Executor = Installation['executors'][number];

const SERVICES: readonly Column<Service>[] = [
  { key: 'name', title: 'Service', cell: ({ name }) => name },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={state === 'ready' ? 'good' : 'bad'}>{state}</Badge>,
  },
  { key: 'detail', title: 'Detail', cell: ({ detail }) => detail ?? NOTHING },
];

const EXECUTORS: readonly Column<Executor>[] = [
  { key: 'id', title: 'Executor', cell: ({ executor_id }) => executor_id },
  { key: 'provider', title: 'Sandbox provider', cell: ({ provider }) => provider },
  {
    key: 'isolation',
    title: 'Isolation',
    cell: ({ isolation }) => <Badge tone={isolation === 'full' ? 'good' : 'warn'}>{isolation}</Badge>,
  },
  {
    key: 'max',
    title: 'Max concurrency',
    isFigure: true,
    cell: ({ attempts_max }) => formatCount(attempts_max),
  },
  {
    key: 'can',
    title: 'Capabilities',
    isMinor: true,
    cell: ({ capabilities: { packages, egress_proxy } }) =>
      [packages && 'package installation', egress_proxy && 'egress proxy'].filter(Boolean).join(', ') ||
      NOTHING,
  },
  {
    key: 'images',
    title: 'Images',
    isMinor: true,
    cell: ({ images }) => images.map(({ template }) => template ?? 'default').join(', ') || NOTHING,
  },
];

/** The services behind the API, and the executors that attempts run on. */
export function Services() {
  const installation = useRead(routes.service.installation, {}, { refetchInterval: REFRESH_MS });
  return (
    <Loaded of={installation} what="the services">
      {({ services, executors }) => (
        <>
          <Panel title="Services" isFlush>
            <Table label="Services" columns={SERVICES} rows={services} keyOf={({ name }) => name} />
          </Panel>
          <Panel
            title="Executors"
            actions={<span>Max concurrency {formatCount(slotsOf(executors))}</span>}
            isFlush={executors.length > 0}
          >
            {executors.length === 0 ? (
              <Empty title="No executors: runs stay queued" />
            ) : (
              <Table
                label="Executors"
                columns={EXECUTORS}
                rows={executors}
                keyOf={({ executor_id }) => executor_id}
                isStacked
              />
            )}
          </Panel>
        </>
      )}
    </Loaded>
  );
}

function slotsOf(executors: readonly Executor[]): number {
  return executors.reduce((sum, { attempts_max }) => sum + attempts_max, 0);
}

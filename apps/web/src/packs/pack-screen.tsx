import { type InputSet, type PackVersion, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { ButtonLink } from '../design/button.js';
import { formatCount, NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { type Column, Table } from '../design/table.js';
import { Ago } from '../design/time.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { TrendPanel } from '../trends/trend-panel.js';
import { LifecycleBadge } from './version/lifecycle-actions.js';

const COLUMNS: readonly Column<PackVersion>[] = [
  {
    key: 'version',
    title: 'Version',
    cell: ({ id, version_number }) => <Link to={`/versions/${id}`}>v{version_number}</Link>,
  },
  {
    key: 'state',
    title: 'Status',
    cell: ({ lifecycle_status }) => <LifecycleBadge status={lifecycle_status} />,
  },
  { key: 'mode', title: 'Mode', cell: ({ execution_mode }) => execution_mode },
  { key: 'cases', title: 'Cases', isFigure: true, cell: ({ summary }) => formatCount(summary.cases ?? 0) },
  { key: 'by', title: 'By', isMinor: true, cell: ({ published_by }) => published_by },
  { key: 'at', title: 'Published', isMinor: true, cell: ({ published_at }) => <Ago at={published_at} /> },
  {
    key: 'digest',
    title: 'Digest',
    isMinor: true,
    cell: ({ digest }) => <code title={digest}>{digest.slice(0, 19)}…</code>,
  },
];

const SET_COLUMNS: readonly Column<InputSet>[] = [
  { key: 'key', title: 'Input set', cell: ({ key, name }) => (key === name ? key : `${name} (${key})`) },
  { key: 'description', title: 'Description', cell: ({ description }) => description ?? NOTHING },
  { key: 'cases', title: 'Cases', isFigure: true, cell: ({ case_count }) => formatCount(case_count) },
];

/** The input sets of the newest version. */
function NewestInputSets({ versions }: { versions: readonly PackVersion[] }) {
  const newest = versions.toSorted((a, b) => b.version_number - a.version_number)[0];
  const sets = useRead(
    routes.versions.inputSets,
    { params: { version_id: newest?.id ?? '' } },
    { enabled: newest !== undefined },
  );
  if (newest === undefined || sets.data === undefined) return null;
  return (
    <Panel title={`Input sets of v${newest.version_number}`} isFlush>
      <Table
        label="Input sets"
        columns={SET_COLUMNS}
        rows={sets.data.items}
        keyOf={({ id }) => id}
        isStacked
      />
    </Panel>
  );
}

/** One pack with all its versions. */
export default function PackScreen({ params: { pack } }: ScreenProps<'pack'>) {
  const read = useRead(routes.packs.get, { params: { pack } });
  return (
    <Page
      title={read.data?.name ?? pack}
      lead={
        read.data && (
          <>
            <code>{read.data.slug}</code> <span>family {read.data.family}</span>
            <Link to={`/runs?pack=${encodeURIComponent(read.data.slug)}`}>Runs</Link>
          </>
        )
      }
    >
      <Loaded of={read} what="the pack">
        {({ slug, description, versions }) => (
          <>
            {description && <p>{description}</p>}
            <TrendPanel of={{ pack: slug }} />
            <NewestInputSets versions={versions} />
            <Panel
              title="Versions"
              isFlush
              actions={
                versions.length > 1 && <ButtonLink to={`/packs/${pack}/changes`}>Compare versions</ButtonLink>
              }
            >
              <Table
                label="Versions"
                columns={COLUMNS}
                rows={versions.toSorted((a, b) => b.version_number - a.version_number)}
                keyOf={({ id }) => id}
                isStacked
              />
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

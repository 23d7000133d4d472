import { routes, type Workspace } from '@agentclash/api';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { OperatorOnly } from '../session/only.js';
import { NewWorkspaceForm } from './new-workspace-form.js';

const COLUMNS: readonly Column<Workspace>[] = [
  { key: 'name', title: 'Workspace', cell: ({ name }) => name },
  { key: 'slug', title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
  { key: 'at', title: 'Created', isMinor: true, cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    key: 'tokens',
    title: 'Tokens',
    cell: ({ slug, name }) => (
      <Link to={`/workspaces/${slug}/tokens`}>
        Tokens<span className="visually-hidden"> of {name}</span>
      </Link>
    ),
  },
];

/** The workspaces of the installation; the operator creates them. */
export default function WorkspacesScreen(_props: ScreenProps) {
  return (
    <Page
      title="Workspaces"
      lead="Each workspace owns its packs, runs and secrets. Create one, then a token for its admin."
    >
      <OperatorOnly to="see and create workspaces">
        <Panel title="Create workspace">
          <NewWorkspaceForm />
        </Panel>
        <Workspaces />
      </OperatorOnly>
    </Page>
  );
}

function Workspaces() {
  const workspaces = usePages(routes.workspaces.list, {});
  return (
    <PagedTable
      what="workspaces"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      of={workspaces}
      empty={{ title: 'No workspaces yet' }}
    />
  );
}

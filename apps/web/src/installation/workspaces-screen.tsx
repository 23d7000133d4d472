import { routes, type Workspace } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { unlessChanged } from '../data/unless-changed.js';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { OperatorOnly } from '../session/only.js';

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

/** Creates a workspace and links to its tokens, which are needed to sign in. */
function NewWorkspaceForm() {
  const [slug, setSlug] = useState('');
  const [name, setName] = useState('');
  const create = useChange(routes.workspaces.create, {
    touches: [routes.workspaces.list],
    done: ({ slug: created }) => `Workspace ${created} created`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { slug, ...(name.trim() !== '' && { name }) };
    const onSuccess = () => {
      setSlug(unlessChanged(slug, ''));
      setName(unlessChanged(name, ''));
    };
    create.mutate({ body, idempotencyKey: newIdempotencyKey() }, { onSuccess });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Slug"
        placeholder="team-blue"
        required
        maxLength={63}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="lower-case letters and digits, joined by single hyphens"
        value={slug}
        onChange={({ target }) => setSlug(target.value)}
      />
      <TextField
        label="Name (optional)"
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        Create
      </Button>
      {create.data && (
        <p role="status" className={css.wide}>
          Created workspace {create.data.name}. Next:{' '}
          <Link to={`/workspaces/${create.data.slug}/tokens`}>create a token</Link> for its admin.
        </p>
      )}
      {create.error && (
        <div className={css.wide}>
          <Failure error={create.error} />
        </div>
      )}
    </form>
  );
}

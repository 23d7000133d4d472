import { type Pack, routes } from '@agentclash/api';
import { LIFECYCLE_STATUSES } from '@agentclash/domain';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { ButtonLink } from '../design/button.js';
import { Filters, SelectField, TextField } from '../design/field.js';
import { formatCount, NOTHING } from '../design/format.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { SavedViews } from '../navigation/saved-views.js';
import { useFilters } from '../navigation/use-filters.js';
import { useMay } from '../session/session.js';

/** The version with the highest number. */
function newestOf({ versions }: Pack): Pack['versions'][number] | undefined {
  return versions.toSorted((a, b) => b.version_number - a.version_number)[0];
}

const COLUMNS: readonly Column<Pack>[] = [
  { key: 'name', title: 'Pack', cell: ({ slug, name }) => <Link to={`/packs/${slug}`}>{name}</Link> },
  { key: 'slug', title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
  { key: 'family', title: 'Family', isMinor: true, cell: ({ family }) => family },
  {
    key: 'newest',
    title: 'Newest version',
    cell: (pack) => {
      const newest = newestOf(pack);
      return newest ? <Link to={`/versions/${newest.id}`}>v{newest.version_number}</Link> : NOTHING;
    },
  },
  {
    key: 'mode',
    title: 'Mode',
    isMinor: true,
    cell: (pack) => newestOf(pack)?.execution_mode ?? NOTHING,
  },
  {
    key: 'cases',
    title: 'Cases',
    isFigure: true,
    cell: (pack) => formatCount(newestOf(pack)?.summary.cases ?? 0),
  },
  {
    key: 'at',
    title: 'Published',
    isMinor: true,
    cell: (pack) => <Ago at={newestOf(pack)?.published_at ?? null} />,
  },
];

/** The challenge packs of the workspace. */
export default function PacksScreen() {
  const [get, set] = useFilters();
  const status = LIFECYCLE_STATUSES.find((known) => known === get('lifecycle_status'));
  const [q, family] = [get('q'), get('family')];
  const query = { ...(q && { q }), ...(family && { family }), ...(status && { lifecycle_status: status }) };
  const packs = usePages(routes.packs.list, { query });
  const isFiltered = Object.keys(query).length > 0;
  return (
    <Page
      title="Packs"
      lead="Challenge packs: tasks, cases, tools, policy and scoring in one file"
      actions={
        <>
          <ButtonLink to="/packs/check">{useMay('member') ? 'Check and publish' : 'Check a pack'}</ButtonLink>
          <ButtonLink to="/packs/check/new" kind="primary">
            New pack
          </ButtonLink>
        </>
      }
    >
      <Filters onClear={isFiltered ? () => set({ q: '', family: '', lifecycle_status: '' }) : undefined}>
        <TextField
          label="Search"
          type="search"
          value={q}
          onChange={({ target }) => set({ q: target.value })}
        />
        <TextField
          label="Family"
          type="search"
          value={family}
          onChange={({ target }) => set({ family: target.value })}
        />
        <SelectField
          label="Status"
          value={status ?? ''}
          onChange={({ target }) => set({ lifecycle_status: target.value })}
        >
          <option value="">any</option>
          {LIFECYCLE_STATUSES.map((known) => (
            <option key={known}>{known}</option>
          ))}
        </SelectField>
      </Filters>
      <SavedViews list="packs" />
      <PagedTable
        what="packs"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        of={packs}
        isStacked
        empty={{
          title: isFiltered ? 'No packs match' : 'No packs yet',
          children: !isFiltered && (
            <p>
              <Link to="/packs/check/new">Begin with a template</Link>, or run{' '}
              <code>agentclash challenge-pack init</code>.
            </p>
          ),
        }}
      />
    </Page>
  );
}

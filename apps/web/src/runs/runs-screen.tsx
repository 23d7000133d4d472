import { type Run, routes, runHandle } from '@agentclash/api';
import { MODEL_CALL_MODES, RUN_STATUSES } from '@agentclash/domain';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAll } from '../data/use-all.js';
import { usePages } from '../data/use-pages.js';
import { useSettled } from '../data/use-settled.js';
import { Button, ButtonLink } from '../design/button.js';
import { Filters, SelectField, TextField } from '../design/field.js';
import { Page } from '../design/page.js';
import { PagedTable } from '../design/paged-table.js';
import { SavedViews } from '../navigation/saved-views.js';
import { useFilters } from '../navigation/use-filters.js';
import { useMay } from '../session/session.js';
import { modelCallsMark } from './model-calls-badge.js';
import { selectable } from './run-columns.js';
import css from './run-columns.module.css';

const REFRESH_MS = 5_000;

/** Filters by something's name. */
const NAMED = [
  { name: 'pack', label: 'Pack', placeholder: 'slug' },
  { name: 'deployment', label: 'Deployment', placeholder: 'name or id' },
  { name: 'label', label: 'Label', placeholder: 'key=value' },
] as const;

type NamedFilter = (typeof NAMED)[number]['name'];

/** Values of the filters: packs and deployments, read when one of the filters is used, and the labels of the listed runs. */
function useChoices(runs: readonly Run[], isUsed: boolean): Record<NamedFilter, readonly string[]> {
  const packs = useAll(routes.packs.list, {}, { enabled: isUsed });
  const deployments = useAll(routes.deployments.list, {}, { enabled: isUsed });
  const labels = runs.flatMap((run) => Object.entries(run.labels).map((label) => label.join('=')));
  const ordered = (texts: readonly string[] = []) => [...new Set(texts)].sort();
  return {
    pack: ordered(packs.data?.flatMap(({ versions }) => versions.map(({ slug }) => slug))),
    deployment: ordered(deployments.data?.map(({ name }) => name)),
    label: ordered(labels),
  };
}

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
  const [isSearching, setSearching] = useState(false);
  const choices = useChoices(runs.items, isSearching);
  const mayStart = useMay('member');
  const clear = () =>
    set(
      Object.fromEntries(
        ['q', 'status', 'model_calls', ...NAMED.map(({ name }) => name)].map((name) => [name, '']),
      ),
    );
  const [selected, setSelected] = useState<readonly Run[]>([]);
  const toggle = (run: Run) =>
    setSelected((before) => {
      const others = before.filter(({ id }) => id !== run.id);
      return others.length < before.length ? others : [...before, run];
    });
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
      <Filters onClear={isFiltered || text !== '' ? clear : undefined}>
        <TextField
          label="Search"
          type="search"
          placeholder="run, #42 or pack"
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
            choices={choices[name]}
            value={get(name)}
            onFocus={() => setSearching(true)}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ))}
      </Filters>
      <SavedViews list="runs" />
      <PagedTable
        what="runs"
        isStacked
        columns={selectable(selected, toggle)}
        linkOf={({ id }) => `/runs/${id}`}
        keyOf={({ id }) => id}
        of={runs}
        empty={{
          title: isFiltered ? 'No runs match' : 'No runs yet',
          children: !isFiltered && mayStart && (
            <p>
              <Link to="/packs/check">Publish a pack</Link>, <Link to="/deployments">create deployments</Link>
              , then <Link to="/runs/new">start a run</Link>.
            </p>
          ),
        }}
      />
      {selected.length > 0 && <Selection runs={selected} onClear={() => setSelected([])} />}
    </Page>
  );
}

/** The selected runs: two of the same pack and input set are compared, the older as the baseline. */
function Selection({ runs, onClear }: { runs: readonly Run[]; onClear: () => void }) {
  const [baseline, candidate] = [...runs].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const isPair = baseline !== undefined && candidate !== undefined;
  const isSame =
    isPair &&
    baseline.pack.slug === candidate.pack.slug &&
    baseline.input_set.key === candidate.input_set.key;
  return (
    <section className={css.selection} aria-label="Selected runs">
      <span role="status">
        {runs.map(runHandle).join(' and ')} selected
        {!isPair && ': select another run to compare it with'}
        {isPair && !isSame && ': only runs of the same pack and input set can be compared'}
      </span>
      {isSame && (
        <ButtonLink
          to={`/compare?${new URLSearchParams({ baseline: baseline.id, candidate: candidate.id })}`}
          kind="primary"
        >
          Compare runs
        </ButtonLink>
      )}
      <Button onClick={onClear}>Clear selection</Button>
    </section>
  );
}

import { type Pack, type Run, runTitle, type Whoami } from '@agentclash/api';
import { THEMES, type Theme } from '../design/theme.js';
import { THEME_NAMES } from '../navigation/account.js';
import { menuFor } from '../navigation/menu.js';
import { caseAddress } from '../results/full-attempt.js';

/** Items of a kind that a search shows. */
export const FOUND_MAX = 8;

/** A line of the command palette. */
export interface PaletteItem {
  key: string;
  name: string;
  /** Beside the name. */
  note?: string;
  group: 'Pages' | 'Actions' | 'Cases of this run' | 'Runs' | 'Packs' | 'Deployments';
  does: { to: string } | { theme: Theme } | 'sign out' | 'list shortcuts';
}

const page = (name: string, to: string): PaletteItem => ({ key: to, name, group: 'Pages', does: { to } });
const action = (name: string, does: PaletteItem['does']): PaletteItem => ({
  key: name,
  name,
  group: 'Actions',
  does,
});

/** Pages and actions of a caller. */
export function fixedItems(whoami: Whoami): PaletteItem[] {
  const pages = menuFor(whoami).flatMap(({ items }) => items.map(({ name, path }) => page(name, path)));
  const isReader = whoami.role === 'operator' || whoami.results_only === true;
  const mayStart = !isReader && whoami.role !== 'viewer';
  return [
    ...pages,
    ...(mayStart ? [action('Start a run', { to: '/runs/new' })] : []),
    ...(isReader ? [] : [action('Check a pack', { to: '/packs/check' })]),
    ...THEMES.map((theme) => action(`Theme: ${THEME_NAMES[theme].toLowerCase()}`, { theme })),
    action('Keyboard shortcuts', 'list shortcuts'),
    action('Sign out', 'sign out'),
  ];
}

/** Those whose name has all the words of the text, in any order. */
export function matching(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

export function runItem(run: Run): PaletteItem {
  const note = `${run.pack.slug} v${run.pack.version_number}, ${run.status}`;
  return { key: run.id, name: runTitle(run), note, group: 'Runs', does: { to: `/runs/${run.id}` } };
}

/** A case of the run that is open. */
export function caseItem(runId: string, caseKey: string): PaletteItem {
  const does = { to: caseAddress(runId, caseKey) };
  return { key: `case ${caseKey}`, name: caseKey, group: 'Cases of this run', does };
}

export function packItem({ slug, name }: Pack): PaletteItem {
  const to = `/packs/${encodeURIComponent(slug)}`;
  return { key: `pack ${slug}`, name, note: slug, group: 'Packs', does: { to } };
}

export function deploymentItem({ id, name, kind }: { id: string; name: string; kind: string }): PaletteItem {
  return { key: id, name, note: kind, group: 'Deployments', does: { to: `/deployments/${id}` } };
}

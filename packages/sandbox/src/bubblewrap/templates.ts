import { statSync } from 'node:fs';
import type { Shortfall } from './host.js';

type Templates = Readonly<Record<string, string>>;

/** Registered images that are there; the others are told instead of being found missing by an attempt. */
export function usableTemplates(registered: Templates): { templates: Templates; shortfalls: Shortfall[] } {
  const entries = Object.entries(registered);
  const isThere = ([, root]: readonly [string, string]) =>
    statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
  const shortfalls = entries
    .filter((entry) => !isThere(entry))
    .map(([name, root]) => ({
      problem: `the template ${name} is not offered: there is no directory ${root}`,
      fix: 'name the root directory of an image in SANDBOX_TEMPLATES',
    }));
  return { templates: Object.fromEntries(entries.filter(isThere)), shortfalls };
}

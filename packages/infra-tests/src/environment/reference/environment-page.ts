import { readFileSync } from 'node:fs';
import path from 'node:path';
import { environmentMarkdown } from './environment-markdown.js';

export const ENVIRONMENT_PAGE = path.resolve(
  import.meta.dirname,
  '../../../../../docs/reference/environment.md',
);

const BEGIN = '<!-- environment: written by `pnpm reference` -->';
const END = '<!-- end of the environment -->';

/** The page as the services now read their environment. */
export function environmentPage(): string {
  const [before = '', rest = ''] = readFileSync(ENVIRONMENT_PAGE, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${ENVIRONMENT_PAGE} has no place for the environment`);
  return `${before}${BEGIN}\n\n${environmentMarkdown()}\n\n${END}${after}`;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { environmentMarkdown } from './environment-markdown.js';

export const GUIDE = path.resolve(import.meta.dirname, '../../../../../docs/self-hosting.md');

const BEGIN = '<!-- environment: written by `pnpm reference` -->';
const END = '<!-- end of the environment -->';

/** The guide with its reference as the services now read their environment. */
export function guideWithReference(): string {
  const [before = '', rest = ''] = readFileSync(GUIDE, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${GUIDE} has no place for the environment`);
  return `${before}${BEGIN}\n\n${environmentMarkdown()}\n\n${END}${after}`;
}

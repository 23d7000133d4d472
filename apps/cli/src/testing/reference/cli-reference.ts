import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createProgram } from '../../tree/program.js';
import { commandsMarkdown, globalOptionsMarkdown } from './commands-markdown.js';

export const CLI_REFERENCE = path.resolve(import.meta.dirname, '../../../../../docs/reference/cli.md');

/** The reference with its generated parts as the commands now are. */
export function cliReference(): string {
  const program = createProgram(() => undefined);
  const parts = { 'global options': globalOptionsMarkdown(program), commands: commandsMarkdown(program) };
  return Object.entries(parts).reduce(
    (text, [name, part]) => withPart(text, name, part),
    readFileSync(CLI_REFERENCE, 'utf8'),
  );
}

function withPart(text: string, name: string, part: string): string {
  const begin = `<!-- ${name}: written by \`pnpm reference\` -->`;
  const end = `<!-- end of the ${name} -->`;
  const [before = '', rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${CLI_REFERENCE} has no place for the ${name}`);
  return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

import { writeFileSync } from 'node:fs';
import { CLI_REFERENCE, cliReference } from './commands-markdown.js';

// `pnpm reference`: writes the reference of the commands into docs/reference/cli.md.

writeFileSync(CLI_REFERENCE, cliReference());

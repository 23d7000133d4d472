// `pnpm reference`: writes the reference of the commands into docs/reference/cli.md.
import { writeFileSync } from 'node:fs';
import { CLI_REFERENCE, cliReference } from './cli-reference.js';

writeFileSync(CLI_REFERENCE, cliReference());

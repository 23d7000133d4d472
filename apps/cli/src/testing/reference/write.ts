// `pnpm reference`: writes the reference of the commands into docs/cli.md.
import { writeFileSync } from 'node:fs';
import { CLI_REFERENCE, cliReference } from './cli-reference.js';

writeFileSync(CLI_REFERENCE, cliReference());

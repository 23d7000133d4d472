import { runCli } from './tree/cli.js';

process.exitCode = await runCli(process.argv.slice(2));

export { runCli } from './tree/cli.js';

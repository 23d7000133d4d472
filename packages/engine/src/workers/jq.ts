import { createRequire } from 'node:module';
import { runIsolated, type WorkerScope } from './isolated-worker.js';

const TIMEOUT_MS = 10_000;
const modulePath = createRequire(import.meta.url).resolve('jq-wasm');

export interface JqResult {
  /** One JSON text a line. */
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs a jq program over a JSON text: no files, no modules, an empty environment. Throws as {@link runIsolated}. */
export function runJq(query: string, json: string, signal: AbortSignal): Promise<JqResult> {
  const input = { modulePath, json, program: enclosed(query) };
  return runIsolated(jqMain, input, { timeoutMs: TIMEOUT_MS, signal });
}

/** Shadows both names of the environment for all of the query, which as an operand can neither import nor include. */
function enclosed(query: string): string {
  return `def env: {}; {} as $ENV | (\n${query}\n)`;
}

async function jqMain({
  require,
  input,
}: WorkerScope<{ modulePath: string; json: string; program: string }>) {
  const { loadJq } = require(input.modulePath);
  const jq = await loadJq();
  const { stdout, stderr, exitCode } = jq.raw(input.json, input.program, ['-c']);
  return { stdout, stderr, exitCode };
}

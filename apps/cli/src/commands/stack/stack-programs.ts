import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Session } from '../../session.js';
import { type Check, problem } from './checks.js';
import { readinessOf } from './readiness.js';

const run = promisify(execFile);
const TIMEOUT_MS = 5_000;

/** What starting a stack here takes besides the sandbox; of interest while none runs. */
export async function checkStackPrograms(session: Session): Promise<Check[]> {
  const { apiUrl } = await session.settings();
  if (apiUrl !== undefined && (await readinessOf(apiUrl.value)) !== undefined) return [];
  return Promise.all([checkNats(), checkPostgres(), checkCompiler()]);
}

async function checkNats(): Promise<Check> {
  const what = 'nats-server';
  const { findNatsServer } = await import('@agentclash/local-stack');
  try {
    return { what, state: 'ok', detail: await findNatsServer({ mayInstall: false, log: () => undefined }) };
  } catch (error) {
    if (await canRun('apt-get', 'dpkg')) {
      return { what, state: 'ok', detail: 'absent; agentclash up fetches it from the Debian packages' };
    }
    return unavailable(what, error);
  }
}

async function checkPostgres(): Promise<Check> {
  const what = 'postgresql';
  const { postgresBinaries } = await import('@agentclash/local-stack');
  try {
    return { what, state: 'ok', detail: (await postgresBinaries(undefined)).postgres };
  } catch (error) {
    return unavailable(what, error);
  }
}

/** The sandbox' launcher is compiled where it is first needed; whether it is there already shows in the sandbox' check. */
async function checkCompiler(): Promise<Check> {
  const what = 'C compiler';
  for (const compiler of ['cc', 'gcc', 'clang', 'musl-gcc']) {
    if (await canRun(compiler)) return { what, state: 'ok', detail: compiler };
  }
  const fix = 'apt-get install -y gcc libc6-dev';
  return { what, state: 'weak', detail: 'there is none to compile the sandbox launcher with', fix };
}

async function canRun(...programs: string[]): Promise<boolean> {
  const tries = programs.map((program) => run(program, ['--version'], { timeout: TIMEOUT_MS }));
  return (await Promise.allSettled(tries)).every(({ status }) => status === 'fulfilled');
}

function unavailable(what: string, error: unknown): Check {
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  return problem(what, error instanceof Error ? error.message : String(error), hint);
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { type Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';
import {
  type Check,
  checkNode,
  checkSandbox,
  checkServer,
  checkSettings,
  checkToken,
  problem,
} from './checks.js';
import { readinessOf } from './readiness.js';

/** Checks what a race needs, one line each; ends with the code of the first problem. */
export async function doctor(session: Session): Promise<ExitCode> {
  const { out } = session;
  const { paint } = out;
  const checks: Check[] = [];
  for (const check of [checkNode, checkSettings, checkServer, checkToken, checkStackPrograms, checkSandbox]) {
    for (const found of await check(session)) {
      checks.push(found);
      const mark = {
        ok: paint.green('ok     '),
        weak: paint.yellow('weak   '),
        absent: paint.dim('absent '),
        problem: paint.red('problem'),
      };
      out.line(`${mark[found.state]}  ${found.what.padEnd(12)}  ${oneLine(found.detail)}`);
      if (found.fix !== undefined) out.line(`${' '.repeat(23)}${paint.dim(oneLine(found.fix))}`);
    }
  }
  out.document({ checks });
  return EXIT_CODES[checks.find(({ state }) => state === 'problem')?.exit ?? 'ok'];
}

const run = promisify(execFile);
const TIMEOUT_MS = 5_000;

/** The requirements for starting a stack here, besides the sandbox; of interest while none runs. */
async function checkStackPrograms(session: Session): Promise<Check[]> {
  const { apiUrl } = await session.settings();
  if (apiUrl !== undefined && (await readinessOf(apiUrl.value)) !== undefined) return [];
  return Promise.all([checkNats(), checkPostgres(), checkSandboxTools()]);
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

/** Programs that ship with the package run sandboxes; a compiler is needed only where those do not fit. */
async function checkSandboxTools(): Promise<Check> {
  const what = 'sandbox tools';
  const { planNativeTools } = await import('@agentclash/sandbox');
  try {
    const plan = await planNativeTools();
    if (plan.origin === 'prebuilt') return { what, state: 'ok', detail: 'prebuilt, digests match' };
    return { what, state: 'ok', detail: `compiled with ${plan.compiler}: ${plan.problem}` };
  } catch (error) {
    const hint = error instanceof Error && 'fix' in error ? String(error.fix) : undefined;
    return problem(what, error instanceof Error ? error.message : String(error), hint);
  }
}

async function canRun(...programs: string[]): Promise<boolean> {
  const tries = programs.map((program) => run(program, ['--version'], { timeout: TIMEOUT_MS }));
  return (await Promise.allSettled(tries)).every(({ status }) => status === 'fulfilled');
}

function unavailable(what: string, error: unknown): Check {
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
  return problem(what, error instanceof Error ? error.message : String(error), hint);
}

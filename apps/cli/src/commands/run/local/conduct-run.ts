import { availableParallelism } from 'node:os';
import type { RecordedEvent } from '@agentclash/api';
import { CommandError } from '../../../command-error.js';
import { environment } from '../../../config.js';
import { Board } from '../../../follow/board.js';
import type { Interrupt } from '../../../follow/interrupt.js';
import { type Viewer, viewerFor } from '../../../follow/viewer.js';
import type { Session } from '../../../session/session.js';
import { withSandboxes } from '../../sandboxes/with-sandboxes.js';
import type { OpenedResults } from './open-results.js';

type EndRecord = import('@agentclash/local-run').EndRecord;
type Grader = ReturnType<typeof import('@agentclash/local-run').openGrader>;
type PreparedRun = import('@agentclash/local-run').PreparedRun;
type SandboxProvider = import('@agentclash/sandbox').SandboxProvider;

/** A run that Ctrl-C ended. */
export interface Interrupted {
  interrupted: true;
  finished: number;
  total: number;
}

export interface ConductedRun {
  end: EndRecord;
  failedAttempt: string | undefined;
}

interface Conducted {
  prepared: PreparedRun;
  results: OpenedResults;
  grader: Grader;
  interrupt: Interrupt;
  input: { maxConcurrency?: number; allowLoopbackEndpoints?: boolean };
}

/** As many prompts are in flight in a run on a server. */
const PROMPTS_AT_ONCE = 256;

/** Gives the work the sandboxes that the run needs, if any. Fails where they cannot run it. */
export async function withSandboxesOf<T>(
  prepared: PreparedRun,
  work: (sandboxes: SandboxProvider | undefined) => Promise<T>,
): Promise<T> {
  const { admitSandboxes, needsSandboxes } = await import('@agentclash/local-run');
  if (!needsSandboxes(prepared)) return await work(undefined);
  return await withSandboxes('local-run', async (sandboxes) => {
    await admitSandboxes(prepared, sandboxes);
    return await work(sandboxes);
  });
}

/** Conducts the run, shown as a followed one. Fails when the results cannot be written. */
export async function conductRun(
  session: Session,
  { prepared, results, grader, interrupt, input }: Conducted,
  sandboxes: SandboxProvider | undefined,
): Promise<ConductedRun | Interrupted> {
  const { LocalRun, openMachine } = await import('@agentclash/local-run');
  const { signal } = interrupt;
  const machine = await openMachine(prepared, {
    ...{ sandboxes, signal, environment: environment.operator },
    allowsLoopback: input.allowLoopbackEndpoints ?? false,
    onError: (error) => logError(session, error),
  }).catch((error: unknown) => {
    throw new CommandError('usage', error instanceof Error ? error.message : String(error), { cause: error });
  });
  const most = sandboxes === undefined ? PROMPTS_AT_ONCE : await sandboxesAtOnce();
  let failedAttempt: string | undefined;
  let viewer: Viewer | undefined;
  let board: Board | undefined;
  const run = new LocalRun(prepared, {
    ...machine,
    grader,
    results: results.writer,
    concurrency: Math.min(input.maxConcurrency ?? most, most),
    signal,
    onEvent: (event: RecordedEvent) => {
      const update = board?.apply(event).update;
      if (update?.kind === 'scored' && update.passed !== true) failedAttempt ??= update.attemptId;
      viewer?.show(event, update);
    },
  });
  for (const attempt of results.finished) run.restore(attempt);
  board = new Board(prepared.run, run.counts.agents);
  viewer = session.out.modes.json ? undefined : viewerFor(session.out, board);
  try {
    const end = await run.run();
    if (end !== undefined) return { end, failedAttempt };
    const { finished, total } = run.counts.progress;
    return { interrupted: true, finished, total };
  } finally {
    viewer?.close();
    await results.writer.close();
  }
}

async function sandboxesAtOnce(): Promise<number> {
  const { sandboxesMax } = await import('@agentclash/sandbox');
  return Math.max(sandboxesMax(), availableParallelism());
}

/** A cause is for people who look for it: results name the failure itself. */
function logError({ out }: Session, error: unknown): void {
  if (environment.operator.AGENTCLASH_DEBUG === undefined) return;
  for (
    let cause: unknown = error;
    cause !== undefined;
    cause = cause instanceof Error ? cause.cause : undefined
  ) {
    out.note(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
}

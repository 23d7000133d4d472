import { type Client, type Run, routes, runArgument, runHandle } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { certificateOf } from '../lookup/packs.js';
import { awaitRanking, getRanking } from '../lookup/ranking.js';
import { agentsOf, divergedAttemptsOf } from '../lookup/runs.js';
import type { Session } from '../session/session.js';
import { duration } from '../terminal/figures.js';
import { confirm } from '../terminal/prompt.js';
import { Board } from './board.js';
import { Interrupt, interruptWithin } from './interrupt.js';
import { showEnd } from './run-end.js';
import { VerdictReader } from './verdict-reader.js';
import { type Viewer, viewerFor } from './viewer.js';

export const SECOND_INTERRUPT_WITHIN_MS = 1_500;

/**
 * Shows a run live until it has ended, then its ranking. Ctrl-C leaves it running. Ends with 1 when the run failed, was
 * cancelled or has attempts that the pack keeps from being graded, and with 3 when an agent has too few graded attempts
 * for a verdict. Warnings of `shown` are not repeated.
 */
export async function followRun(
  session: Session,
  client: Client,
  run: Run,
  shown: Run['warnings'] = [],
): Promise<ExitCode> {
  // Handled before there is anything to see: Ctrl-C leaves the run in order from the first moment.
  const interrupt = new Interrupt();
  const agents = await agentsOf(client, run.id).catch((error: unknown) => {
    interrupt.release();
    throw error;
  });
  const board = new Board(run, agents);
  const viewer = viewerFor(session.out, board);
  const verdicts = new VerdictReader(client, board, viewer);
  let failedAttempt: string | undefined;
  let isLost = false;
  const watching = {
    signal: interrupt.signal,
    onLost: (reconnectTimeoutMs: number) => {
      isLost = true;
      viewer.printLine(`Connection lost; retrying for ${duration(reconnectTimeoutMs)}`);
    },
    onBack: () => {
      isLost = false;
      viewer.printLine('Connection restored');
    },
  };
  try {
    for await (const event of client.events(run.id, watching)) {
      const { update } = board.apply(event);
      if (update?.kind === 'scored' && update.passed !== true) failedAttempt ??= update.attemptId;
      viewer.show(event, update);
      verdicts.readSoon(event.occurred_at);
    }
    await verdicts.readLast();
  } catch (error) {
    if (!interrupt.happened) {
      // The board's last picture first: a line that is written over it would make it appear twice.
      close(viewer, interrupt);
      session.out.note(`The state of the run is unknown.\n${comeBack(run)}`);
      throw error;
    }
  } finally {
    verdicts.stop();
    close(viewer, interrupt);
  }
  if (interrupt.happened && (isLost || interrupt.isOrder)) return leave(session, run, isLost);
  if (interrupt.happened) return detach(session, client, run);
  return conclude(session, client, { run, failedAttempt, shown });
}

function close(viewer: Viewer, interrupt: Interrupt): void {
  viewer.close();
  interrupt.release();
}

async function conclude(
  session: Session,
  client: Client,
  {
    run: { id },
    failedAttempt,
    shown,
  }: { run: Run; failedAttempt: string | undefined; shown: Run['warnings'] },
): Promise<ExitCode> {
  const run = await client.call(routes.runs.get, { params: { run_id: id } });
  const ranking = await (run.status === 'cancelled' ? getRanking : awaitRanking)(client, id);
  const isText = !session.out.modes.json;
  const [agents, diverged, audit] = isText
    ? await Promise.all([agentsOf(client, id), divergedAttemptsOf(client, run), certificateOf(client, run)])
    : [[], [], null];
  const hints = [
    `agentclash eval scorecard ${runArgument(run)}`,
    ...(failedAttempt === undefined ? [] : [`agentclash replay ${failedAttempt}`]),
  ];
  const attempts = `agentclash run attempts ${runArgument(run)}`;
  return showEnd(session, { run, ranking, agents, diverged, audit, hints, attempts, shown });
}

function comeBack(run: Run): string {
  return `Watch it again: agentclash run show ${runArgument(run)} --follow`;
}

/** Without a person to prompt, or a choice to offer: reports only what is certain. */
function leave({ out }: Session, run: Run, isLost: boolean): ExitCode {
  const known = isLost ? 'while the server was unreachable; the state of the run is unknown' : '';
  out.note(`Stopped watching${known === '' ? '' : ` ${known}`}. ${lookAgain(run)}`);
  return EXIT_CODES.try_again;
}

function lookAgain(run: Run): string {
  return `See how it is: agentclash status, agentclash run show ${runArgument(run)}`;
}

/** The run continues without us, unless a second Ctrl-C cancels it. */
async function detach(session: Session, client: Client, run: Run): Promise<ExitCode> {
  const { out } = session;
  // Handled before it is offered: a second Ctrl-C would end the program otherwise.
  const again = session.canPrompt ? interruptWithin(SECOND_INTERRUPT_WITHIN_MS) : undefined;
  out.note(`Detached; the run continues. ${comeBack(run)}`);
  if (again === undefined) return EXIT_CODES.try_again;
  out.note('Press Ctrl-C again to cancel it.');
  if (!(await again)) return EXIT_CODES.try_again;
  if (!(await confirm(out, `Cancel the run ${runHandle(run)}?`))) return EXIT_CODES.try_again;
  await client.call(routes.runs.cancel, { params: { run_id: run.id } });
  out.note('Cancelled.');
  return EXIT_CODES.failed;
}

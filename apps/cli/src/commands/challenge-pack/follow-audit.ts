import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type PackAudit, type PackAuditDetails } from '@agentclash/api';
import { EXIT_CODES, type ExitCode, isAuditActive } from '@agentclash/domain';
import { SECOND_INTERRUPT_WITHIN_MS } from '../../follow/follow-run.js';
import { Interrupt, interruptWithin } from '../../follow/interrupt.js';
import type { Session } from '../../session/session.js';
import { confirm } from '../../terminal/prompt.js';
import { showAuditProgress } from './audit-progress.js';

type AuditProgress = import('@agentclash/pack-audit').AuditProgress;

interface Followed {
  read: () => Promise<PackAuditDetails>;
  cancel: () => Promise<unknown>;
  /** The next steps of a person who leaves the audit running. */
  commands: { follow: string; last: string; cancel: string };
}

const POLL_MS = 1_000;
/** A server that restarts is back within that. */
const UNREACHABLE_MS = 60_000;

/** The audit when it has ended. Ctrl-C leaves it running, and a second one offers to cancel it: then an exit code. */
export async function followAudit(
  session: Session,
  begun: PackAudit,
  followed: Followed,
): Promise<PackAuditDetails | ExitCode> {
  const { out } = session;
  out.note(out.paint.dim('Ctrl-C stops following; the audit continues on the server.'));
  const interrupt = new Interrupt();
  try {
    return await ended(session, { begun, followed, signal: interrupt.signal });
  } catch (error) {
    if (!interrupt.happened) throw error;
  } finally {
    interrupt.release();
  }
  return await detach(session, followed, interrupt.isOrder);
}

async function ended(
  { out }: Session,
  { begun, followed, signal }: { begun: PackAudit; followed: Followed; signal: AbortSignal },
): Promise<PackAuditDetails> {
  const progress = showAuditProgress(out);
  let reachedAt = Date.now();
  try {
    if (begun.status === 'queued') progress.wait('waits for an executor');
    for (;;) {
      const audit = await followed.read().catch((error: unknown) => {
        const isPassing = error instanceof ApiError && error.code === 'unavailable';
        if (!isPassing || Date.now() - reachedAt > UNREACHABLE_MS) throw error;
        return undefined;
      });
      if (audit !== undefined) {
        reachedAt = Date.now();
        if (!isAuditActive(audit.status)) return audit;
        if (audit.progress) progress.at(audit.progress as AuditProgress);
        else if (audit.status === 'running') progress.wait('starts');
      }
      await delay(POLL_MS, undefined, { signal });
    }
  } finally {
    progress.end();
  }
}

/** The audit continues without us, unless a second Ctrl-C cancels it. */
async function detach(session: Session, { cancel, commands }: Followed, isOrder: boolean): Promise<ExitCode> {
  const { out } = session;
  // Handled before it is offered: a second Ctrl-C would end the program otherwise.
  const again = session.canPrompt && !isOrder ? interruptWithin(SECOND_INTERRUPT_WITHIN_MS) : undefined;
  out.note(`Detached; the audit continues. Follow it: ${commands.follow}`);
  out.note(`Its report, when it has ended: ${commands.last}\nCancel it: ${commands.cancel}`);
  if (again === undefined) return EXIT_CODES.try_again;
  out.note('Press Ctrl-C again to cancel it.');
  if (!(await again)) return EXIT_CODES.try_again;
  if (!(await confirm(out, 'Cancel the audit?'))) return EXIT_CODES.try_again;
  await cancel();
  out.note('Cancelled.');
  return EXIT_CODES.failed;
}

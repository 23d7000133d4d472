import type { PlannedConversation } from '@agentclash/attempt-plan';
import type { Clock } from '../clock.js';
import { AttemptEnded } from './attempt-ended.js';
import { endOfDeadSandbox } from './outcome.js';
import { type HostedSandbox, takeUp } from './sandbox-host.js';

/** Between a person's deadline and the end of what waited for it. */
const SLACK_MS = 60_000;

/** How long people may be waited for in all: a sandbox has to outlive that. */
export function humanPatienceMs(conversation: PlannedConversation | undefined): number {
  const waits = (conversation?.phases ?? []).map((phase) =>
    phase.actor === 'human' ? phase.timeout_ms + SLACK_MS : 0,
  );
  return waits.reduce((sum, ms) => sum + ms, 0);
}

/** Leaves a sandbox to itself for as long as a person may take; nobody has to renew its lease. */
export function parkSandbox(sandbox: HostedSandbox, ms: number): void {
  sandbox.release();
  sandbox.session.renewLease(Math.max(0, ms) + SLACK_MS);
}

/** Takes a parked sandbox back. Throws AttemptEnded when it has not survived. */
export async function unparkSandbox(sandbox: HostedSandbox, clock: Clock): Promise<void> {
  if (sandbox.hasDied()) throw new AttemptEnded(endOfDeadSandbox((await sandbox.session.ended).death));
  sandbox.release = takeUp(sandbox.session, clock);
}

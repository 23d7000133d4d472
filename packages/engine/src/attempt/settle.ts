import type { Snapshot, SnapshotReport } from '@agentclash/sandbox';
import { unlessAborted } from './abort.js';
import { AttemptEnded } from './attempt-ended.js';
import type { AttemptPorts, SnapshotOmissions, SnapshotRef } from './ports.js';
import type { HostedSandbox } from './sandbox-host.js';
import type { StageClock } from './stage-clock.js';

/** Kills what the agent left running and copies its workspace out. Throws AttemptEnded or what the sandbox threw. */
export async function settleWorkspace(
  { session }: HostedSandbox,
  bytesMax: number,
  { snapshots, stage }: Pick<AttemptPorts, 'snapshots'> & { stage: StageClock },
): Promise<SnapshotRef> {
  await unlessAborted(session.killAll(), stage.signal);
  const snapshot = session.snapshot({ bytesMax });
  snapshot.report.catch(() => undefined);
  return unlessAborted(storeSnapshot(snapshot, snapshots), stage.signal).catch((cause: unknown) => {
    stage.signal.throwIfAborted();
    const end = {
      because: 'infra',
      code: 'snapshot_failed',
      message: 'the workspace could not be copied out',
    } as const;
    throw Object.assign(new AttemptEnded(end), { cause });
  });
}

/** The reference says what the archive lacks: whoever searches it must not take it for the whole workspace. */
async function storeSnapshot(
  { chunks, report }: Snapshot,
  snapshots: AttemptPorts['snapshots'],
): Promise<SnapshotRef> {
  const stored = await snapshots.put(chunks);
  const omitted = omissionsOf(await report);
  return omitted === undefined ? stored : { ...stored, omitted };
}

function omissionsOf({ omitted, omittedCount }: SnapshotReport): SnapshotOmissions | undefined {
  if (omittedCount === 0) return undefined;
  return { count: omittedCount, reasons: [...new Set(omitted.map(({ reason }) => reason))].sort() };
}

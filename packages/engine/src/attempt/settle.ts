import type { SnapshotOmissions, SnapshotRef } from '@agentclash/domain';
import type { Snapshot, SnapshotReport } from '@agentclash/sandbox';
import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import type { HostedSandbox } from './sandbox-host.js';

/** Keeps copied-out workspaces. */
export interface SnapshotStore {
  put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef>;
  get(ref: SnapshotRef): AsyncIterable<Uint8Array>;
}

interface SnapshotPort {
  snapshots: SnapshotStore;
}

const EXAMPLE_LENGTH_MAX = 512;

/** Takes secrets out of a text. */
type Redact = (text: string) => string;

/** Kills the agent's remaining processes and copies its workspace out. Throws AttemptEnded or errors of the sandbox. */
export async function settleWorkspace(
  { session }: HostedSandbox,
  bytesMax: number,
  { snapshots, stage, redact }: SnapshotPort & { stage: StageClock; redact: Redact },
): Promise<SnapshotRef> {
  await unlessAborted(session.killAll(), stage.signal);
  const snapshot = session.snapshot({ bytesMax });
  snapshot.report.catch(() => undefined);
  return unlessAborted(storeSnapshot(snapshot, { snapshots, redact }), stage.signal).catch(
    (cause: unknown) => {
      stage.signal.throwIfAborted();
      const end = {
        because: 'infra',
        code: 'snapshot_failed',
        message: 'the workspace could not be copied out',
      } as const;
      throw Object.assign(new AttemptEnded(end), { cause });
    },
  );
}

/** The reference lists what the archive omits, so that no reader takes it for the whole workspace. */
async function storeSnapshot(
  { chunks, report }: Snapshot,
  { snapshots, redact }: SnapshotPort & { redact: Redact },
): Promise<SnapshotRef> {
  const stored = await snapshots.put(chunks);
  const omitted = omissionsOf(await report, redact);
  return omitted === undefined ? stored : { ...stored, omitted };
}

function omissionsOf(
  { omitted, omittedCount }: SnapshotReport,
  redact: Redact,
): SnapshotOmissions | undefined {
  if (omittedCount === 0) return undefined;
  const first = new Map(omitted.toReversed().map(({ path, reason }) => [reason, path]));
  const reasons = [...first.keys()].sort();
  const examples = reasons.map((reason) => redact(first.get(reason) ?? '').slice(0, EXAMPLE_LENGTH_MAX));
  return { count: omittedCount, reasons, examples };
}

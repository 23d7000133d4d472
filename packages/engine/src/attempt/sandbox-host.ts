import type { PlannedConversation, PlannedFilesystem, PlannedSandbox } from '@agentclash/attempt-plan';
import {
  type HostDirectory,
  isSandboxError,
  SANDBOX_DEFAULTS,
  type SandboxError,
  type SandboxSession,
  type SandboxSpec,
} from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { AttemptEnded, endOfDeadSandbox, unlessAborted } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import { BROKER_PORT } from '../programs/program-broker.js';
import { recordedProgress } from './image-progress.js';
import type { AttemptPorts } from './ports.js';
import type { SandboxEgressPort } from './sandbox-egress.js';
import { imageName } from './sandbox-images.js';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
/** A sandbox that is not destroyed within this time is removed by the reaper. */
const TEARDOWN_MS = 15_000;
/** Longer than a build may take. */
const IMAGE_MS_MAX = 40 * 60_000;

export interface HostedSandbox {
  session: SandboxSession;
  image: string | null;
  createdAt: number;
  /** Absent where processes have no network. */
  egressPort: SandboxEgressPort | undefined;
  /** Absent where the agent has no broker. */
  brokerPort: SandboxEgressPort | undefined;
  /** True when it ended before it was closed. */
  hasDied: () => boolean;
  /** Ends the renewal of the lease. */
  release: () => void;
}

export interface SandboxRequest {
  labels: { runId: string; attemptId: string };
  filesystem: PlannedFilesystem;
  sandbox: Pick<PlannedSandbox, 'additional_packages' | 'sandbox_template_id' | 'image' | 'resources'>;
  env: Readonly<Record<string, string>>;
  /** Directories for files that only the executor places. */
  stagedRoots: readonly string[];
  /** From creation to the forced end. */
  wallMs: number;
  /** Without one, processes have no network. */
  egressPort?: SandboxEgressPort | undefined;
  brokerPort?: SandboxEgressPort | undefined;
  /** Packages of the agent. */
  directories?: readonly HostDirectory[];
}

type HostContext = Pick<AttemptPorts, 'sandboxes' | 'images' | 'artifacts' | 'clock'> & {
  events: AttemptEvents;
};
/** The time of the stage in which a sandbox is opened. */
type OpeningStage = Pick<StageClock, 'signal' | 'suspendedFor'>;

/** Opens a sandbox and keeps it alive until it is closed. Throws AttemptEnded. */
export async function openSandbox(
  order: SandboxRequest,
  context: HostContext & { stage: OpeningStage },
): Promise<HostedSandbox> {
  const { sandboxes, clock, events, stage } = context;
  const { signal } = stage;
  const reference = await prepareImage(order.sandbox, context);
  const startedAt = clock.monotonic();
  const creating = sandboxes.create(specOf(order, reference), { signal });
  const session = await unlessAborted(creating, signal).catch((error: unknown) => {
    creating.then((late) => late.destroy()).catch(() => undefined);
    signal.throwIfAborted();
    throw Object.assign(refused(error), { cause: error });
  });
  const image = reference ?? order.sandbox.sandbox_template_id ?? null;
  const boot_ms = Math.round(clock.monotonic() - startedAt);
  events.record('sandbox.created', { provider: session.provider, sandbox_id: session.id, image, boot_ms });
  let isOver = false;
  session.ended.then(() => {
    isOver = true;
  });
  const release = keepAlive(session, clock);
  const { egressPort, brokerPort } = order;
  return {
    session,
    image,
    createdAt: clock.monotonic(),
    egressPort,
    brokerPort,
    hasDied: () => isOver,
    release,
  };
}

/** Pulls or builds the image where that is not done, in time that does not count. Throws AttemptEnded. */
async function prepareImage(
  { image }: SandboxRequest['sandbox'],
  { images, artifacts, stage, ...recording }: HostContext & { stage: OpeningStage },
): Promise<string | undefined> {
  if (image === undefined) return undefined;
  const signal = AbortSignal.any([stage.signal, AbortSignal.timeout(IMAGE_MS_MAX)]);
  const onProgress = recordedProgress(imageName(image), recording);
  return await stage
    .suspendedFor(() => images.prepare(image, { artifacts, signal, onProgress }))
    .catch((error: unknown) => {
      stage.signal.throwIfAborted();
      if (error instanceof AttemptEnded) throw error;
      throw Object.assign(refused(error), { cause: error });
    });
}

/** Destroys the sandbox, within bounds. Resolves to whether it is gone. */
export async function closeSandbox(
  { session, createdAt, release }: HostedSandbox,
  reason: string,
  { clock, events }: Pick<HostContext, 'clock' | 'events'>,
): Promise<boolean> {
  release();
  const timeout = new AbortController();
  const gone = await Promise.race([
    session.destroy().then(
      () => true,
      () => false,
    ),
    clock.sleep(TEARDOWN_MS, timeout.signal).then(
      () => false,
      () => false,
    ),
  ]);
  timeout.abort();
  const lifetime_ms = Math.round(clock.monotonic() - createdAt);
  events.record('sandbox.destroyed', {
    provider: session.provider,
    sandbox_id: session.id,
    reason,
    lifetime_ms,
  });
  return gone;
}

/** How long a sandbox may live so that time limits of `limitMs` in all can be extended as far as they may. */
export function wallMsOf(
  limitMs: number,
  {
    sandboxes,
    starvationMax = SANDBOX_DEFAULTS.starvationMax,
  }: Pick<AttemptPorts, 'sandboxes' | 'starvationMax'>,
): number {
  return sandboxes.capabilities.cpuStarvation === 'none' ? limitMs : limitMs * (1 + starvationMax);
}

/** `image`: the reference of the one that was prepared. */
function specOf(
  {
    labels,
    filesystem,
    sandbox,
    env,
    stagedRoots,
    wallMs,
    egressPort,
    brokerPort,
    directories = [],
  }: SandboxRequest,
  image: string | undefined,
): SandboxSpec {
  const { cpu, memory_bytes, pids, workspace_bytes } = sandbox.resources;
  return {
    limits: {
      cpu,
      memoryBytes: memory_bytes,
      pids,
      workspaceBytes: workspace_bytes,
      wallMs,
    },
    env,
    directories,
    ...(brokerPort && { listeners: [{ port: BROKER_PORT, serve: (stream) => brokerPort.serve(stream) }] }),
    network: egressPort ? { kind: 'proxied', proxy: egressPort } : { kind: 'none' },
    filesystem: {
      workingDirectory: filesystem.working_directory,
      readableRoots: filesystem.readable_roots,
      writableRoots: filesystem.writable_roots,
      stagedRoots,
    },
    ...(sandbox.sandbox_template_id !== undefined && { template: sandbox.sandbox_template_id }),
    ...(image !== undefined && {
      image: { reference: image, runAsRoot: sandbox.image?.run_as_root ?? false },
    }),
    packages: sandbox.additional_packages,
    labels,
    leaseMs: LEASE_MS,
  };
}

/** Renews a sandbox's lease, which has just begun, until the returned function is called. */
function keepAlive(session: SandboxSession, clock: Clock): () => void {
  const stopped = new AbortController();
  const renew = async () => {
    for (;;) {
      await clock.sleep(RENEW_EVERY_MS, stopped.signal);
      session.renewLease(LEASE_MS);
    }
  };
  renew().catch(() => undefined);
  return () => stopped.abort();
}

/** Renews the lease of a sandbox at once and periodically. */
function restartLease(session: SandboxSession, clock: Clock): () => void {
  session.renewLease(LEASE_MS);
  return keepAlive(session, clock);
}

function refused(error: unknown): AttemptEnded {
  const code = isSandboxError(error) ? `sandbox_${error.code}` : 'internal';
  const reason = isSandboxError(error) ? `: ${withFix(error)}` : '';
  const isPermanent = isSandboxError(error, 'invalid_image');
  const message = `no sandbox could be opened${reason}`;
  return new AttemptEnded({ because: 'infra', code, message, ...(isPermanent && { isPermanent }) });
}

/** The output of a failed build is the end of its message, so the remedy comes before that. */
function withFix({ message, fix }: SandboxError): string {
  if (fix === undefined) return message;
  const [first = '', ...lines] = message.split('\n');
  return [`${first} (${fix})`, ...lines].join('\n');
}

/** Added to a person's deadline for the end of the attempt. */
const SLACK_MS = 60_000;

/** The total time of waiting for people: a sandbox has to outlive it. */
export function humanTimeoutsMs(conversation: PlannedConversation | undefined): number {
  const waits = (conversation?.phases ?? []).map((phase) =>
    phase.actor === 'human' ? phase.timeout_ms + SLACK_MS : 0,
  );
  return waits.reduce((sum, ms) => sum + ms, 0);
}

/** Leases a sandbox for the whole time that a person may take, without renewals. */
export function parkSandbox(sandbox: HostedSandbox, ms: number): void {
  sandbox.release();
  sandbox.session.renewLease(Math.max(0, ms) + SLACK_MS);
}

/** Takes a parked sandbox back. Throws AttemptEnded when it has not survived. */
export async function unparkSandbox(sandbox: HostedSandbox, clock: Clock): Promise<void> {
  if (sandbox.hasDied()) throw new AttemptEnded(endOfDeadSandbox(await sandbox.session.ended));
  sandbox.release = restartLease(sandbox.session, clock);
}

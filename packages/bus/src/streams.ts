import { ACCESS, ContractError, type Job, listenSubject, type Message } from '@agentclash/contracts';
import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';

const DAY_NS = 86_400_000_000_000;
const MINUTE_NS = 60_000_000_000;
/** A request for a run with 64 agents has about 8 KiB. */
export const BUS_API_MESSAGE_BYTES_MAX = 65_536;

const ALL_JOBS = Object.values(ACCESS)
  .flatMap(({ serves }) => serves.flatMap((group): Message[] => Object.values(group)))
  .filter((message): message is Job => message.kind === 'job');

/** `job.<owner>.>` of every owner: the jobs that services send each other. */
function internalJobSubjects(): string[] {
  const owners = ALL_JOBS.filter((job) => !job.isExternal).map(({ subject }) => subject.split('.')[1]);
  return [...new Set(owners)].sort().map((owner) => `job.${owner}.>`);
}

/**
 * Streams capture subjects below `job.` and `evt.` only, so that none captures a request. Ages and windows are in
 * nanoseconds. Requests of internal services have their own stream with limits per workspace (a subject each), so that
 * a flood from one workspace fills neither the jobs of the services nor the queue of another workspace.
 */
export const STREAMS = {
  job: {
    name: 'JOBS',
    subjects: internalJobSubjects(),
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    duplicate_window: 2 * MINUTE_NS,
    discard: DiscardPolicy.New,
    // Bounds messages past their last delivery, which the stream would otherwise keep for ever.
    max_age: 7 * DAY_NS,
    max_bytes: 1_073_741_824,
  },
  busApi: {
    name: 'FRONT_DOOR',
    subjects: ALL_JOBS.filter((job) => job.isExternal).map(listenSubject),
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    duplicate_window: 2 * MINUTE_NS,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_age: 7 * DAY_NS,
    max_msg_size: BUS_API_MESSAGE_BYTES_MAX,
    max_msgs_per_subject: 256,
    max_bytes: 268_435_456,
  },
  event: {
    name: 'EVENTS',
    subjects: ['evt.>'],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    duplicate_window: 2 * MINUTE_NS,
    discard: DiscardPolicy.Old,
    max_age: DAY_NS,
    max_bytes: 2_147_483_648,
  },
} satisfies Record<'job' | 'busApi' | 'event', Partial<StreamConfig> & { name: string }>;

/** The stream that stores a job or an event. */
export function streamOf(message: Message): string {
  if (message.kind !== 'job') return STREAMS.event.name;
  return STREAMS[message.isExternal ? 'busApi' : 'job'].name;
}

/** Creates the streams, or updates them to what is declared here. Idempotent. */
export async function provisionStreams(manager: JetStreamManager, replicas = 1): Promise<void> {
  for (const stream of Object.values(STREAMS)) {
    const config = { ...stream, num_replicas: replicas };
    const exists = await streamExists(manager, stream.name);
    if (exists) await manager.streams.update(stream.name, config);
    else await manager.streams.add(config);
  }
}

/** Resolves once all streams exist; fails with `unavailable` after the deadline (epoch ms). */
export async function awaitStreams(
  manager: () => Promise<JetStreamManager>,
  deadline: number,
): Promise<void> {
  for (;;) {
    try {
      const found = await manager();
      const all = await Promise.all(Object.values(STREAMS).map((stream) => streamExists(found, stream.name)));
      if (all.every(Boolean)) return;
    } catch (cause) {
      if (Date.now() > deadline) throw streamsMissing(cause);
    }
    if (Date.now() > deadline) throw streamsMissing(undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function streamsMissing(cause: unknown): ContractError {
  const names = Object.values(STREAMS)
    .map(({ name }) => name)
    .join(', ');
  return new ContractError(
    'unavailable',
    `The bus lacks a stream of ${names}: is the run-orchestrator running, and JetStream on?`,
    {},
    { cause },
  );
}

async function streamExists(manager: JetStreamManager, name: string): Promise<boolean> {
  try {
    await manager.streams.info(name);
    return true;
  } catch (error) {
    if (error instanceof Error && /stream not found/i.test(error.message)) return false;
    throw error;
  }
}

import { ContractError } from '@agentclash/contracts';
import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';

const DAY_NS = 86_400_000_000_000;
const MINUTE_NS = 60_000_000_000;

/** Streams capture `job.>` and `evt.>` only, so that none can swallow a request. Ages and windows in nanoseconds. */
export const STREAMS = {
  job: {
    name: 'JOBS',
    subjects: ['job.>'],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    duplicate_window: 2 * MINUTE_NS,
    discard: DiscardPolicy.New,
    // What workers died of so often that it is offered to none any more would stay for ever.
    max_age: 7 * DAY_NS,
    max_bytes: 1_073_741_824,
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
} satisfies Record<'job' | 'event', Partial<StreamConfig> & { name: string }>;

/** Creates the streams, or brings them to what is declared here. Idempotent. */
export async function provisionStreams(manager: JetStreamManager, replicas = 1): Promise<void> {
  for (const stream of Object.values(STREAMS)) {
    const config = { ...stream, num_replicas: replicas };
    const exists = await streamExists(manager, stream.name);
    if (exists) await manager.streams.update(stream.name, config);
    else await manager.streams.add(config);
  }
}

/** Resolves once both streams exist; fails with `unavailable` after `timeoutMs`. */
export async function awaitStreams(
  manager: () => Promise<JetStreamManager>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      const found = await manager();
      const all = await Promise.all(Object.values(STREAMS).map((stream) => streamExists(found, stream.name)));
      if (all.every(Boolean)) return;
    } catch (cause) {
      if (Date.now() > deadline) throw away(cause);
    }
    if (Date.now() > deadline) throw away(undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function away(cause: unknown): ContractError {
  return new ContractError(
    'unavailable',
    `The bus has no ${STREAMS.job.name} and ${STREAMS.event.name} streams: is the run-orchestrator running, and JetStream on?`,
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

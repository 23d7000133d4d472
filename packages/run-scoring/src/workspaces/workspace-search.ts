import { ContractError, type StoredEvidence } from '@agentclash/contracts';
import type { PlantedValue } from '@agentclash/grading';
import { TaskThread, ThreadOverrun } from '@agentclash/threads';
import type { HiddenReason, ScanLimits, WorkspaceFile } from './planted-scan.js';
import type { SearchReply, SearchTask } from './search-task.js';

export interface SearchLimits extends ScanLimits {
  /** CPU time for one workspace. */
  timeMs: number;
  memoryMib: number;
  /** Workspaces searched concurrently. */
  threads: number;
}

/** Far above the limits of a sandbox. */
export const SEARCH_LIMITS = {
  bytesMax: 4 * 2 ** 30,
  entriesMax: 500_000,
  timeMs: 60_000,
  memoryMib: 256,
} as const satisfies Partial<SearchLimits>;

/** The files found; or hidden: the workspace exceeds the limits; or unsearched for another reason. */
export type SearchedWorkspace = { files: WorkspaceFile[] } | { hidden: HiddenReason } | { unsearched: true };

type Snapshot = NonNullable<StoredEvidence['result']['snapshot']>;

/** Where workspaces are stored. */
export interface StoredArchives {
  /** The tar archive of a workspace. */
  open: (sha256: string) => AsyncIterable<Uint8Array>;
  onUnsearched?: (snapshot: Snapshot, reason: string) => void;
}

/** Searches stored workspaces for planted values, in separate threads and within limits. */
export class WorkspaceSearch {
  private readonly idle: TaskThread[] = [];
  private readonly waiting: (() => void)[] = [];
  private busy = 0;

  constructor(
    private readonly archives: StoredArchives,
    private readonly limits: SearchLimits,
  ) {}

  /** Fails with `unavailable` when the stored bytes cannot be read now. */
  async find(values: readonly PlantedValue[], snapshot: Snapshot): Promise<SearchedWorkspace> {
    await this.acquire();
    const thread = this.idle.pop() ?? this.start();
    try {
      const searched = await this.search(thread, values, snapshot);
      this.idle.push(thread);
      return searched;
    } catch (error) {
      await thread.stop();
      if (error instanceof Hidden) return { hidden: error.reason };
      const reason = unsearchedReason(error);
      if (reason === undefined) throw error;
      this.archives.onUnsearched?.(snapshot, reason);
      return { unsearched: true };
    } finally {
      this.release();
    }
  }

  /** Stops its threads. */
  async stop(): Promise<void> {
    await Promise.all(this.idle.splice(0).map((thread) => thread.stop()));
  }

  private start(): TaskThread {
    return new TaskThread(new URL(import.meta.resolve('#workspace-search-thread')), this.limits);
  }

  private async search(
    thread: TaskThread,
    values: readonly PlantedValue[],
    { sha256 }: Snapshot,
  ): Promise<SearchedWorkspace> {
    let leftMs = this.limits.timeMs;
    const run = async (task: SearchTask): Promise<SearchReply> => {
      const usedBeforeMs = thread.usedMs;
      if (leftMs <= 0) throw new ThreadOverrun('time');
      const reply = (await thread.run(task, leftMs)) as SearchReply;
      leftMs -= thread.usedMs - usedBeforeMs;
      if (reply.hidden !== undefined) throw new Hidden(reply.hidden);
      if (reply.unsearched !== undefined) throw new Unsearched(reply.unsearched);
      return reply;
    };
    const { bytesMax, entriesMax } = this.limits;
    await run({ step: 'open', values, limits: { bytesMax, entriesMax } });
    for await (const chunk of this.archives.open(sha256)) await run({ step: 'push', chunk });
    const { files = [] } = await run({ step: 'end' });
    return { files };
  }

  private async acquire(): Promise<void> {
    if (this.busy < this.limits.threads) this.busy += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private release(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.busy -= 1;
    else next();
  }
}

class Unsearched extends Error {}

class Hidden extends Error {
  constructor(readonly reason: HiddenReason) {
    super(reason);
  }
}

/** The permanent reason for which a workspace cannot be searched; undefined for retryable errors and bugs. */
function unsearchedReason(error: unknown): string | undefined {
  if (error instanceof Unsearched) return error.message;
  if (error instanceof ThreadOverrun) return `the search took too much ${error.resource}`;
  return error instanceof ContractError && error.code === 'not_found' ? 'it is not stored' : undefined;
}

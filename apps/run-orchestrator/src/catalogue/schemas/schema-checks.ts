import { createHash } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { ValueCache } from '@agentclash/service-kit';
import { ThreadOverrun, ThreadPool, type ThreadPoolLimits, TooManyWaiting } from '@agentclash/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SchemaTask, SchemaUse } from './schema-task.js';

/** Reading the largest schema that there may be takes a second or two and 130 MiB. */
const LIMITS: ThreadPoolLimits = { threads: 2, memoryMib: 192, timeoutMs: 5_000, waitingMax: 50 };
const RESULTS_MAX = 1_000;

/** The memory of all threads together, beside the heap of the service. */
export const SCHEMA_CHECKS_MIB_MAX = LIMITS.threads * LIMITS.memoryMib;

/**
 * Reads the schemas of deployments and tools in threads of their own, so that none can hold up the service: bounded in
 * time, memory and count, fair between workspaces. Results are cached by digest.
 */
@Injectable()
export class SchemaChecks implements OnApplicationShutdown {
  private readonly pool = new ThreadPool(new URL(import.meta.resolve('#schema-thread')), LIMITS);
  private readonly results = new ValueCache<string | null>(RESULTS_MAX);

  /** The problem of the schema, null when there is none. Fails with `unavailable` when too many are read. */
  async problemOf(workspaceId: string, use: SchemaUse, schema: unknown): Promise<string | null> {
    const text = textOf(schema);
    if (text === null) return 'is nested too deeply';
    const digest = createHash('sha256').update(`${use}\n${text}`).digest('hex');
    return await this.results.get(digest, () => this.read(workspaceId, { use, text }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.stop();
  }

  private async read(tenant: string, task: SchemaTask): Promise<string | null> {
    try {
      const reply = await this.pool.run({ tenant, task });
      return typeof reply === 'string' ? reply : null;
    } catch (error) {
      if (error instanceof TooManyWaiting) {
        throw new ContractError('unavailable', 'Too many schemas are being read. Try again shortly.');
      }
      if (!(error instanceof ThreadOverrun)) throw error;
      const limit = {
        time: `${LIMITS.timeoutMs / 1_000} seconds`,
        memory: `${LIMITS.memoryMib} MiB of memory`,
      };
      return `takes more than ${limit[error.resource]} to read; simplify its patterns and references`;
    }
  }
}

/** Null for what nests so deeply that not even its text can be written. */
function textOf(schema: unknown): string | null {
  try {
    return JSON.stringify(schema) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

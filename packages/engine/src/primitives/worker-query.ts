import { ToolError } from '../tools/tool-error.js';
import { WorkerFailed, WorkerTimeout } from '../workers/isolated-worker.js';
import type { PrimitiveContext } from './primitive.js';

/** Runs a query in its turn. One that takes too long or too much memory is the agent's to rewrite. */
export async function runQuery<T>(
  query: () => Promise<T>,
  { queryTurns, signal, exclude }: Pick<PrimitiveContext, 'queryTurns' | 'signal' | 'exclude'>,
): Promise<T> {
  try {
    return await queryTurns.take(query, { signal, exclude });
  } catch (error) {
    if (error instanceof WorkerTimeout)
      throw new ToolError('timeout', 'the query took longer than 10 seconds');
    if (error instanceof WorkerFailed)
      throw new ToolError('query_failed', 'the query needs more than it may have');
    throw error;
  }
}

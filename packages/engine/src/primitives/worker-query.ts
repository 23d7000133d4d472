import { ToolError } from '../tools/tool-error.js';
import { WorkerFailed, WorkerTimeout } from '../workers/isolated-worker.js';

/** A query that takes too long or too much memory is the agent's to rewrite. */
export async function askWorker<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof WorkerTimeout)
      throw new ToolError('timeout', 'the query took longer than 10 seconds');
    if (error instanceof WorkerFailed)
      throw new ToolError('query_failed', 'the query needs more than it may have');
    throw error;
  }
}

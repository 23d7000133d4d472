import { setTimeout as sleep } from 'node:timers/promises';
import { stateFileIn } from './layout.js';
import { StackError } from './stack-error.js';
import { findState, isAlive, type StackState } from './state.js';

/** The stack that runs on this data folder, if one does. */
export function findRunningStack(data: string): Promise<StackState | undefined> {
  return findState(stateFileIn(data));
}

const STOP_TIMEOUT_MS = 90_000;
const POLL_MS = 50;

/** Asks the stack on this data folder to end and waits until its process has. Throws StackError. */
export async function stopLocalStack(data: string, timeoutMs = STOP_TIMEOUT_MS): Promise<StackState> {
  const state = await findRunningStack(data);
  if (state === undefined) {
    throw new StackError('not_running', `No stack runs on ${data}`, 'agentclash up starts one.');
  }
  process.kill(state.pid, 'SIGTERM');
  const deadline = Date.now() + timeoutMs;
  while (isAlive(state)) {
    if (Date.now() > deadline) {
      const hint = `Its log says why; kill -9 ${state.pid} ends it without draining.`;
      throw new StackError('stop_failed', `Process ${state.pid} did not end in time`, hint);
    }
    await sleep(POLL_MS);
  }
  return state;
}

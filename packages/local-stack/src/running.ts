import { setTimeout as sleep } from 'node:timers/promises';
import { withAdminToken } from './admin-token.js';
import { loadCredentials } from './credentials.js';
import { openLayout, stateFileIn } from './layout.js';
import { StackError } from './stack-error.js';
import { findState, isAlive, type StackState } from './state.js';
import { writeStackFile } from './user-file.js';

/** The stack that runs on this data folder, if one does. */
export function findRunningStack(data: string): Promise<StackState | undefined> {
  return findState(stateFileIn(data));
}

/** Makes the running stack on this data folder the one that the command line finds by itself. */
export async function adoptRunningStack(
  data: string,
  onStep?: (step: string) => void,
): Promise<StackState | undefined> {
  const running = await findRunningStack(data);
  if (running === undefined) return undefined;
  const layout = await openLayout(data);
  const { url } = running;
  const credentials = await withAdminToken(await loadCredentials(layout, false), { url, layout, onStep });
  await writeStackFile({ url: running.url, credentials, data: layout.folder });
  return running;
}

const STOP_TIMEOUT_MS = 90_000;
const POLL_MS = 50;

/** Sends SIGTERM to the stack on this data folder and waits until its process has ended. Throws StackError. */
export async function stopLocalStack(data: string, timeoutMs = STOP_TIMEOUT_MS): Promise<StackState> {
  const state = await findRunningStack(data);
  if (state === undefined) {
    throw new StackError('not_running', `No stack runs on ${data}`, 'agentclash up starts one.');
  }
  process.kill(state.pid, 'SIGTERM');
  const deadline = Date.now() + timeoutMs;
  while (isAlive(state)) {
    if (Date.now() > deadline) {
      const hint = `The reason is in its log; kill -9 ${state.pid} ends it without draining.`;
      throw new StackError('stop_failed', `Process ${state.pid} did not end in time`, hint);
    }
    await sleep(POLL_MS);
  }
  return state;
}

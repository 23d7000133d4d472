import { setTimeout as pause } from 'node:timers/promises';
import type { ReapReport } from '../contract.js';
import { SandboxError } from '../sandbox-error.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import { type ContainerDetails, type ContainerSummary, LABEL, MANAGER } from './engine-objects.js';

const REMOVAL_POLLS = 300;
const REMOVAL_POLL_MS = 100;
/** From the creation of a container to its start, or to the look at why it has ended, by an owner that lives. */
const HANDLING_MS = 60_000;

/** With its volumes that have no name; returns when it is gone. */
export async function removeContainer(engine: Engine, id: string): Promise<void> {
  for (let polls = 0; polls < REMOVAL_POLLS; polls++) {
    try {
      await engine.json('DELETE', `/containers/${id}`, { query: { force: '1', v: '1' } });
      return;
    } catch (error) {
      if (hasStatus(error, 404)) return;
      // Its removal is under way, or its layers are just being unmounted.
      if (!hasStatus(error, 409) && !(hasStatus(error, 500) && /device or resource busy/i.test(error.reason)))
        throw error;
    }
    await pause(REMOVAL_POLL_MS);
  }
  throw new SandboxError('unavailable', `the Docker daemon does not remove the container ${id}`);
}

/**
 * Removes what no owner will: containers that have ended, that were never started, or that are older than any sandbox. One
 * whose owner has died ends by itself, with its connection or its lease.
 */
export async function sweep(
  engine: Engine,
  { owner, live }: { owner: string; live: ReadonlySet<string> },
): Promise<ReapReport> {
  const filters = JSON.stringify({ label: [`${LABEL.managedBy}=${MANAGER}`] });
  const query = { all: '1', filters };
  const removed: string[] = [];
  for (const found of await engine.get<ContainerSummary[]>('/containers/json', { query })) {
    const name = found.Names?.[0]?.replace(/^\//, '') ?? found.Id;
    if (live.has(name) || !(await isLeftOver(engine, found, owner))) continue;
    await removeContainer(engine, found.Id);
    removed.push(name);
  }
  return { removed };
}

async function isLeftOver(engine: Engine, found: ContainerSummary, owner: string): Promise<boolean> {
  const now = engine.now();
  const labels = found.Labels ?? {};
  if (Date.parse(labels[LABEL.expires] ?? '') < now) return true;
  if (found.State === 'created') return found.Created * 1000 + HANDLING_MS < now;
  if (found.State !== 'exited' && found.State !== 'dead') return false;
  if (labels[LABEL.owner] === owner) return true;
  const details = await engine.get<ContainerDetails>(`/containers/${found.Id}/json`).catch(() => undefined);
  return details !== undefined && Date.parse(details.State.FinishedAt) + HANDLING_MS < now;
}

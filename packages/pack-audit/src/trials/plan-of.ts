import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { DrawnMutant } from '../mutations/draw-mutants.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { PlannedTrial } from '../planning/tasks.js';
import type { TrialPorts } from './ports.js';
import type { Trial } from './trial.js';

interface Problem {
  code: string;
  message: string;
}

/** Neither where the role of the trial does not apply to its case. */
export async function planOf(
  { case: each, role }: Trial,
  pack: AuditedPack,
  ports: TrialPorts,
): Promise<{ planned?: PlannedTrial; problem?: Problem }> {
  const reply = await withBytes(pack, ports.signal, (bytes) => {
    return ports.planning.plan(pack, { case: each, role, bytes });
  });
  if ('problem' in reply) return reply;
  return reply.planned ? { planned: reply.planned } : {};
}

export async function drawnMutants(
  each: AuditedCase,
  drawing: { pack: AuditedPack; ports: TrialPorts; seed: string; most: number },
): Promise<readonly DrawnMutant[] | { problem: string }> {
  const { pack, ports, seed, most } = drawing;
  const reply = await withBytes(pack, ports.signal, (bytes) => {
    return ports.planning.mutants(pack, { case: each, bytes, seed, most });
  });
  return 'problem' in reply ? { problem: reply.problem.message } : reply.mutants;
}

type NotYet = { wants: readonly ArtifactRef[] } | { unusable: string } | 'overrun';

/** Reads the bytes that the work wants, until it wants no more. */
async function withBytes<R extends object>(
  { artifactReader }: AuditedPack,
  signal: AbortSignal,
  work: (bytes: ReadonlyMap<string, Uint8Array>) => Promise<R | NotYet>,
): Promise<Exclude<R, NotYet> | { problem: Problem }> {
  const bytes = new Map<string, Uint8Array>();
  for (;;) {
    const reply = await work(bytes);
    if (reply === 'overrun') return { problem: OVERRUN };
    if ('unusable' in reply) return { problem: { code: 'solution_unusable', message: reply.unusable } };
    if (!('wants' in reply)) return reply as Exclude<R, NotYet>;
    for (const ref of reply.wants) bytes.set(ref.artifact_id, await artifactReader.read(ref, signal));
  }
}

const OVERRUN: Problem = {
  code: 'planning_limit',
  message: 'reading the case, its task or its solution takes more time or memory than there is',
};

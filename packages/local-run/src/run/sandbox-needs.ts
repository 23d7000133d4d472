import { sandboxAbilities } from '@agentclash/engine';
import { fleetProblem, isPlain, needsOfPack, refuse } from '@agentclash/run-rules';
import type { SandboxProvider } from '@agentclash/sandbox';
import type { PreparedRun } from './prepare-run.js';

/** Fails with `unsupported_capability` where the sandboxes of this machine cannot run what the pack and its agents need. */
export async function admitSandboxes(
  { version: { manifest, caseImages }, lanes, run }: PreparedRun,
  sandboxes: SandboxProvider,
): Promise<void> {
  const agents = lanes.map(({ snapshot }) => snapshot);
  const needs = needsOfPack(manifest, agents, caseImages.get(run.input_set.key));
  if (isPlain(needs) && needs.interpreters.length === 0) return;
  refuse(fleetProblem([await sandboxAbilities(sandboxes)], needs, 'no sandbox of this machine'));
}

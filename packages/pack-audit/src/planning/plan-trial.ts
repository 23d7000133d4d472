import { createHash, randomUUID } from 'node:crypto';
import {
  type ArtifactRef,
  type AttemptPlan,
  graderChecks,
  needsVerifier,
  planFromPack,
  planGrading,
  resolveLimits,
  scriptRuntimes,
} from '@agentclash/attempt-plan';
import { type EvaluationSpec, isPrimitiveName } from '@agentclash/challengepack';
import { type AuditAgent, plannedAgent } from '../agents/agent.js';
import { FIXED_USER } from '../agents/fixed-user.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import type { PackView } from '../pack/pack-view.js';
import { graderDigest } from './grader-digest.js';
import type { PlannedTrial } from './tasks.js';

/** The plan of a run, but for the network: an audit has none. */
export function planTrial(
  agent: AuditAgent,
  audited: AuditedCase,
  { manifest, artifacts, spec }: PackView & { spec: EvaluationSpec },
): PlannedTrial {
  const { case: each } = audited;
  const artifactOf = (id: string) => artifacts.get(id);
  const { tools, sandbox, tool_policy, ...planned } = planFromPack(manifest, each, {
    artifactOf,
    simulatorOf: () => FIXED_USER,
  });
  const runtimes = scriptRuntimes(manifest, spec);
  const { mcp_servers: servers = [], ...packTools } = tools;
  const timeoutSeconds = agent.kind === 'program' ? agent.timeoutSeconds : undefined;
  const limits = resolveLimits({
    caseTimeoutSeconds: each.case_timeout_seconds ?? 0,
    pack: spec.runtime_limits,
  });
  const id = () => randomUUID();
  const files: { ref: ArtifactRef; bytes: Uint8Array }[] = [];
  const plan: AttemptPlan = {
    schema: 'agentclash.attempt-plan/1',
    ...{ workspace_id: id(), run_id: id(), run_agent_id: id(), attempt_id: id(), delivery: 1, repetition: 1 },
    ...planned,
    agent: plannedAgent(agent, (bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const ref = { artifact_id: sha256, sha256, bytes: bytes.length };
      files.push({ ref, bytes });
      return ref;
    }),
    tools: { ...packTools, workspace: [], ...(servers.length > 0 && { mcp_servers: servers }) },
    tool_policy: { ...tool_policy, allow_network: false },
    sandbox: { ...sandbox, network_access: false, network_allowlist: [] },
    limits: { ...limits, run_timeout_seconds: timeoutSeconds ?? limits.run_timeout_seconds },
    narrowing: { denied_tools: (manifest.tools?.denied ?? []).filter((name) => !isPrimitiveName(name)) },
    ...(runtimes.length > 0 && { script_runtimes: runtimes }),
    ...(!needsVerifier(graderChecks(spec)) && { is_unverified: true as const }),
  };
  const grader = planGrading(manifest, each, { attemptId: plan.attempt_id, spec, artifactOf });
  return { plan, grader, graderDigest: graderDigest(audited, grader, spec), files };
}

import { type WorkspaceTool, wrongReferences } from '@agentclash/attempt-plan';
import { inspectWorkspaceTool, type Manifest } from '@agentclash/challengepack';
import type { AgentSnapshot } from '../plans/agent-snapshot.js';
import type { AdmissionProblem } from '../state/admission-problem.js';

/** Tools that cannot be used together as the run pins them. What has lost a delegate is merely not offered. */
export function toolsProblem(
  manifest: Manifest,
  agents: readonly AgentSnapshot[],
): AdmissionProblem | undefined {
  const misled = (manifest.tools?.custom ?? []).find(
    ({ implementation }) => wrongReferences(implementation.args ?? {}).length > 0,
  );
  if (misled) {
    return {
      code: 'invalid_pack',
      message: `The tool "${misled.name}" of the pack holds workspace-secret://, which is for provider accounts.`,
    };
  }
  for (const agent of agents) {
    const problem = pinnedProblem(activeTools(agent));
    if (problem) {
      return {
        code: 'incompatible_deployment',
        message: `The deployment "${agent.name}" cannot use its ${problem}.`,
      };
    }
  }
  return undefined;
}

/** The workspace tools that a deployment offers its agent. */
export function activeTools(agent: AgentSnapshot): WorkspaceTool[] {
  return agent.kind === 'model'
    ? agent.tools.filter(({ lifecycle_status }) => lifecycle_status === 'active')
    : [];
}

function pinnedProblem(tools: readonly WorkspaceTool[]): string | undefined {
  for (const tool of tools) {
    const problem = inspectWorkspaceTool(tool, tools).find(({ code }) => code !== 'unknown_reference');
    if (problem) return `tool "${tool.name}": ${problem.field} ${problem.message}`;
  }
  return undefined;
}

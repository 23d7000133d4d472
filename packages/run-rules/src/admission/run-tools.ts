import { type WorkspaceTool, wrongReferences } from '@agentclash/attempt-plan';
import { inspectWorkspaceTool, type Manifest } from '@agentclash/challengepack';
import { type AgentSnapshot, presetOf } from '../agents/agent-snapshot.js';
import type { AdmissionProblem, Warning } from '../problems/admission-problem.js';
import { quoted } from './run-admission.js';

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

/** One warning for all lanes of coding agents that cannot call the tools of the pack, or their own servers. */
export function toolWarnings({ tools = {} }: Manifest, agents: readonly AgentSnapshot[]): Warning[] {
  const ofPack = [...(tools.custom ?? []), ...(tools.mcp_servers ?? [])];
  const without = agents.filter((agent) => {
    const preset = presetOf(agent);
    const hasServers = ofPack.length > 0 || (agent.mcp_servers ?? []).length > 0;
    return hasServers && preset !== undefined && !isAcp(agent) && preset.definition.mcp === undefined;
  });
  if (without.length === 0) return [];
  const whose = ofPack.length > 0 ? 'The tools of the pack' : 'The tools of their servers';
  const message = `${whose} are not offered to ${quoted(without)}: the preset has no settings for MCP.`;
  return [{ code: 'preset_without_mcp', message }];
}

/** The session of an agent of ACP names the tools to it. */
function isAcp(agent: AgentSnapshot): boolean {
  return agent.kind === 'program' && agent.config.protocol === 'acp';
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

import { PROGRAM_FILES_BYTES_MAX } from '@agentclash/attempt-plan';
import type { Manifest, PackServer } from '@agentclash/challengepack';
import { serverOfTool } from '@agentclash/domain';
import { type AgentSnapshot, hasTools } from '../agents/agent-snapshot.js';
import type { PackVersionView } from '../pack/pack-version.js';
import type { AdmissionProblem } from '../problems/admission-problem.js';
import { activeTools } from './run-tools.js';

const MIB = 1024 * 1024;

/** Servers of tools whose files are too large, or that cannot be used together because their tools share names. */
export function serversProblem(
  { manifest, artifacts }: Pick<PackVersionView, 'manifest' | 'artifacts'>,
  agents: readonly AgentSnapshot[],
): AdmissionProblem | undefined {
  const bytes = serversOf(manifest)
    .flatMap(({ files = [] }) => files)
    .map(({ artifact_key: key }) => manifest.version.assets?.find((asset) => asset.key === key))
    .reduce((sum, asset) => sum + (artifacts.get(asset?.artifact_id ?? '')?.bytes ?? 0), 0);
  if (bytes > PROGRAM_FILES_BYTES_MAX) {
    const [taken, most] = [Math.ceil(bytes / MIB), PROGRAM_FILES_BYTES_MAX / MIB];
    const message = `The files of the MCP servers of the pack take ${taken} MiB together; they may take ${most} MiB.`;
    return { code: 'invalid_pack', message };
  }
  for (const agent of agents.filter(hasTools)) {
    const message = conflict(manifest, agent);
    if (message !== undefined) return { code: 'incompatible_deployment', message };
  }
  return undefined;
}

function conflict(manifest: Manifest, agent: AgentSnapshot): string | undefined {
  const deployment = titleOf(agent);
  const ofPack = new Set(serversOf(manifest).map(({ name }) => name));
  const own = new Set((agent.mcp_servers ?? []).map(({ name }) => name));
  const twice = [...own].find((name) => ofPack.has(name));
  if (twice !== undefined) {
    return `The pack and ${deployment} both bring an MCP server "${twice}": rename that of the deployment.`;
  }
  const packTool = (manifest.tools?.custom ?? []).find(({ name }) => own.has(serverOfTool(name) ?? ''));
  if (packTool) {
    return `The tool "${packTool.name}" of the pack has a name of the MCP server "${serverOfTool(packTool.name)}" of ${deployment}: rename the server.`;
  }
  const attached = activeTools(agent).filter((tool) => tool.attached);
  const tool = attached.find(({ name }) => ofPack.has(serverOfTool(name) ?? ''));
  if (tool) {
    return `The tool "${tool.name}" of ${deployment} has a name of the MCP server "${serverOfTool(tool.name)}" of the pack: rename the tool.`;
  }
  return undefined;
}

function titleOf({ name, variant }: Pick<AgentSnapshot, 'name' | 'variant'>): string {
  return variant === undefined
    ? `the deployment "${name}"`
    : `the variant "${variant.name}" of the deployment "${variant.deployment}"`;
}

function serversOf({ tools }: Manifest): readonly PackServer[] {
  return tools?.mcp_servers ?? [];
}

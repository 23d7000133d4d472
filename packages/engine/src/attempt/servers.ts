import type { AttemptPlan } from '@agentclash/attempt-plan';
import { PROGRAM_DIRECTORY } from '../agents/program.js';
import type { AttemptHistory } from '../events/history.js';
import { McpServers, type McpServersOptions, SERVERS_DIRECTORY } from '../mcp/mcp-servers.js';
import { readHere } from '../replies/read-reply.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { type StageOptions, stageFiles } from '../staging/stage.js';
import type { Assembly } from './assembly.js';
import type { AttemptPorts } from './ports.js';

type OpenContext = Pick<AttemptPorts, 'clock' | 'egress' | 'readReplies'> &
  Pick<McpServersOptions, 'end' | 'known' | 'sandbox' | 'signal'> & {
    plan: AttemptPlan;
    history: AttemptHistory;
  };

/** Connects to the servers of tools that the plan names; undefined without any. Throws AttemptEnded. */
export async function openServers(
  { policy }: Assembly,
  { plan, history, readReplies = readHere, ...context }: OpenContext,
): Promise<McpServers | undefined> {
  const { mcp_servers: servers = [] } = plan.tools;
  if (servers.length === 0) return undefined;
  return await McpServers.open({
    ...context,
    ...history,
    servers,
    policy,
    agent: plan.agent.kind,
    networkAllowlist: plan.sandbox.network_allowlist,
    readReplies,
  });
}

/** Places the files of servers that run in the sandbox. Throws AttemptEnded. */
export async function stageServers(
  plan: AttemptPlan,
  sandbox: AttemptSandbox,
  staging: Pick<StageOptions, 'artifacts' | 'signal'>,
): Promise<void> {
  for (const { name, files = [] } of commandServersOf(plan)) {
    const directory = `${SERVERS_DIRECTORY}/${name}`;
    await stageFiles(sandbox, files, { ...staging, directory, roots: [SERVERS_DIRECTORY], mode: 0o755 });
  }
}

/** Directories for files that only the executor places. */
export function stagedRootsOf(plan: AttemptPlan): string[] {
  const hasFiles = commandServersOf(plan).some(({ files = [] }) => files.length > 0);
  return [
    ...(plan.agent.kind === 'program' ? [PROGRAM_DIRECTORY] : []),
    ...(hasFiles ? [SERVERS_DIRECTORY] : []),
  ];
}

function commandServersOf({ tools }: AttemptPlan) {
  return (tools.mcp_servers ?? []).flatMap((server) => ('command' in server ? [server] : []));
}

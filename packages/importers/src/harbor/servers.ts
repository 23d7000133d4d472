import { COMMAND_WORDS_MAX, SERVER_NAME } from '@agentclash/domain';
import type { Losses } from '../framework/loss-report.js';
import type { TaskEnvironment, TaskMcpServer } from './task.js';
import type { TableReader } from './toml.js';

/** Reads `[[environment.mcp_servers]]`. */
export function readServers(
  table: TableReader,
  { environment, losses }: { environment: TaskEnvironment; losses: Losses },
): void {
  for (const server of table.subs('mcp_servers') ?? []) {
    const name = server.string('name') ?? 'server';
    const command = server.string('command');
    const url = server.string('url');
    const args = server.strings('args') ?? [];
    const transport = server.string('transport') ?? (command === undefined ? 'sse' : 'stdio');
    for (const key of server.unread()) losses.dropped(server.where, server.at(key), 'unknown key');
    const key = server.at(transport === 'stdio' ? 'command' : 'url');
    if (transport === 'stdio' && command !== undefined) {
      environment.mcpServers.push({ name: nameOf(name), command: [command, ...args] });
      if (args.length >= COMMAND_WORDS_MAX)
        throw server.fail('args', `expected at most ${COMMAND_WORDS_MAX - 1}`);
      if (url !== undefined) losses.dropped(server.where, server.at('url'), 'the server is a command');
      continue;
    }
    const reason = `the MCP server ${name} (${url ?? transport}) is beside the sandbox, where nothing of a task runs`;
    losses.dropped(server.where, key, reason);
    environment.missing.push(`${server.where}: ${reason}`);
  }
}

interface ServedTask {
  task: { environment: TaskEnvironment };
  missing: string[];
  losses: Losses;
  where: string;
}

/**
 * The servers of the pack, which its agents have in every case: those of its tasks, where all that can run have the same. A
 * task with others cannot run then.
 */
export function commonServers(tasks: readonly ServedTask[]): TaskMcpServer[] {
  const runnable = tasks.filter(({ missing }) => missing.length === 0);
  const forms = new Set(runnable.map(formOf));
  const common = forms.size === 1 ? (runnable[0]?.task.environment.mcpServers ?? []) : [];
  for (const each of tasks) {
    const { mcpServers } = each.task.environment;
    if (mcpServers.length === 0) continue;
    const names = mcpServers.map(({ name }) => name).join(', ');
    if (formOf(each) === JSON.stringify(common)) {
      each.losses.carried(each.where, 'mcp_servers', `tools.mcp_servers: ${names}`);
      continue;
    }
    const reason = `the MCP servers of a pack are there in all of its cases, and not all tasks have ${names}: import the task alone`;
    each.losses.dropped(each.where, 'mcp_servers', reason);
    each.missing.push(`${each.where}: ${reason}`);
  }
  return common;
}

function formOf({ task }: ServedTask): string {
  return JSON.stringify(task.environment.mcpServers);
}

const NAME_MAX = 24;

/** The name as a prefix of tools. */
function nameOf(name: string): string {
  const dashed = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^[^A-Za-z]+/, '');
  const short = dashed.slice(0, NAME_MAX).replace(/-+$/, '');
  return SERVER_NAME.test(short) ? short : 'server';
}

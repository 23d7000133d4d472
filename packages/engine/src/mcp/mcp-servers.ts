import type { AgentKind, PlannedMcpServer, Policy } from '@agentclash/attempt-plan';
import { serverToolName } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import { type AttemptEnd, AttemptEnded } from '../outcome/attempt-end.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { isAdmitted, type ServerTool } from '../tools/server-tool.js';
import type { SurfaceTool } from '../tools/surface.js';
import { type McpChannel, McpFailure } from './channel.js';
import { CommandChannel } from './command-channel.js';
import { MCP_LIMITS, type McpLimits } from './limits.js';
import { McpServer } from './server.js';
import { UrlChannel, type UrlChannelOptions } from './url-channel.js';

/** Below it, each server has a folder for its files; only the executor writes there. */
export const SERVERS_DIRECTORY = '/mcp';

export interface McpServersOptions
  extends Pick<UrlChannelOptions, 'egress' | 'events' | 'networkAllowlist' | 'readReplies' | 'secrets'> {
  servers: readonly PlannedMcpServer[];
  policy: Policy;
  agent: AgentKind;
  /** The sandbox, used until a signal aborts. */
  sandbox: (signal: AbortSignal) => Pick<AttemptSandbox, 'exec'>;
  clock: Pick<Clock, 'sleep'>;
  /** Ends the attempt. */
  end: (reason: AttemptEnded) => void;
  /** Of the attempt. */
  signal: AbortSignal;
  /** Digests of the lists before the attempt was parked, by server. */
  known?: Readonly<Record<string, string>>;
  limits?: Partial<McpLimits>;
}

/** The servers of an attempt: listed once, and unchanged until its end. */
export class McpServers {
  private readonly opened: { server: McpServer; planned: PlannedMcpServer }[] = [];
  private readonly channels: McpChannel[] = [];
  private readonly limits: McpLimits;
  private changed: PlannedMcpServer | undefined;

  private constructor(private readonly options: McpServersOptions) {
    this.limits = { ...MCP_LIMITS, ...options.limits };
  }

  /** Connects to all servers that the policy admits. Throws AttemptEnded when one cannot be used. */
  static async open(options: McpServersOptions): Promise<McpServers> {
    const servers = new McpServers(options);
    const results = await Promise.allSettled(options.servers.map((planned) => servers.connect(planned)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined && servers.tools.length <= servers.limits.tools) return servers;
    await servers.close();
    const message = `the servers list more than ${servers.limits.tools} tools together`;
    throw failed?.reason ?? unusable(message, true);
  }

  /** As the agent sees them: a server could list the secrets of its own headers. */
  get tools(): SurfaceTool[] {
    const { secrets } = this.options;
    return this.opened.flatMap(({ server, planned }) =>
      secrets.redact([...server.tools]).map(({ name, description = '', parameters }) => ({
        name: serverToolName(server.name, name),
        description,
        parameters,
        layer: 'mcp' as const,
        runs: this.toolOf(server, planned, { tool: name, parameters }),
      })),
    );
  }

  /** Of the lists, by server. */
  get digests(): Record<string, string> {
    return Object.fromEntries(this.opened.map(({ server }) => [server.name, server.digest]));
  }

  /** Closes all, and returns the end of the attempt where a list is not the one that the agent was given. */
  async finish(): Promise<AttemptEnd | undefined> {
    const { signal } = this.options;
    const check = async ({ server, planned }: (typeof this.opened)[number]) => {
      if (await server.hasChanged(signal)) this.changed ??= planned;
    };
    if (this.changed === undefined) await Promise.allSettled(this.opened.map(check));
    await this.close();
    return this.changed === undefined ? undefined : changedEnd(this.changed);
  }

  /** Ends every connection. Never rejects. */
  async close(): Promise<void> {
    await Promise.all(this.channels.map((channel) => channel.close()));
  }

  /** Throws AttemptEnded. */
  private async connect(planned: PlannedMcpServer): Promise<void> {
    const { events, policy, signal, secrets } = this.options;
    const requires = this.requirementOf(planned);
    const summary = { server: planned.name, transport: transportOf(planned) };
    if (!isAdmitted({ requires }, policy)) {
      events.record('tool.server.listed', { ...summary, not_admitted: requires ?? 'shell', tools: [] });
      return;
    }
    const channel = this.channelOf(planned);
    this.channels.push(channel);
    try {
      const server = await McpServer.open(planned.name, channel, { limits: this.limits, signal });
      events.record('tool.server.listed', {
        ...summary,
        info: server.info,
        tools: server.tools.map(({ name, description = '', parameters }) => ({
          name,
          description,
          parameters,
        })),
        sha256: server.digest,
      });
      if (server.tools.some(({ name }) => secrets.redact(name) !== name)) {
        throw new McpFailure('malformed', 'it lists a tool whose name holds a secret');
      }
      const before = this.options.known?.[server.name];
      if (before !== undefined && before !== server.digest) throw new AttemptEnded(changedEnd(planned));
      this.opened.push({ server, planned });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof McpFailure)) throw error;
      const message = `the MCP server "${planned.name}" cannot be used: ${secrets.redact(error.message)}`;
      throw unusable(message, error.isPermanent);
    }
  }

  private channelOf(planned: PlannedMcpServer): McpChannel {
    const { options, limits } = this;
    const onListChanged = () => {
      this.changed ??= planned;
      options.end(new AttemptEnded(changedEnd(planned)));
    };
    if ('url' in planned) {
      const { url, headers = {} } = planned;
      return new UrlChannel({ ...options, url, headers, limits, onListChanged });
    }
    const { command, env = {} } = planned;
    return new CommandChannel({ ...options, command, env, limits, onListChanged });
  }

  private requirementOf(planned: PlannedMcpServer): ServerTool['requires'] {
    if ('url' in planned) return 'network';
    return this.options.agent === 'program' ? undefined : 'shell';
  }

  private toolOf(
    server: McpServer,
    planned: PlannedMcpServer,
    listed: Pick<ServerTool, 'tool' | 'parameters'>,
  ): ServerTool {
    const { callMs } = this.limits;
    return {
      ...listed,
      server: server.name,
      requires: this.requirementOf(planned),
      ...('url' in planned && { url: planned.url }),
      call: (args, { timeoutMs, ...call }) =>
        server.call(listed.tool, args, { ...call, timeoutMs: Math.max(1, Math.min(callMs, timeoutMs)) }),
    };
  }
}

function transportOf(planned: PlannedMcpServer): 'command' | 'url' {
  return 'url' in planned ? 'url' : 'command';
}

function unusable(message: string, isPermanent: boolean): AttemptEnded {
  return new AttemptEnded({ because: 'infra', code: 'mcp_server', message, isPermanent });
}

/** A command has the same files in every delivery; the server of a URL may have been replaced once. */
function changedEnd(planned: PlannedMcpServer): AttemptEnd {
  const message = `the tools of the MCP server "${planned.name}" changed during the attempt`;
  return { because: 'infra', code: 'mcp_tools_changed', message, isPermanent: 'command' in planned };
}

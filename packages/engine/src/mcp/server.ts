import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import { type AgentTool, formatBytes, isRecord, serverToolName, textIn } from '@agentclash/domain';
import { ToolError } from '../outcome/tool-error.js';
import type { McpResult } from '../replies/mcp-message.js';
import { type McpChannel, McpFailure, type RequestBounds } from './channel.js';
import type { McpLimits } from './limits.js';

const PROTOCOL_VERSION = '2025-06-18';
const CLIENT_INFO = { name: 'agentclash', version: '1' };
const NAME = /^[A-Za-z0-9_-]+$/;

/** A tool of a server, as the server names it. */
export type ListedTool = AgentTool & { parameters: JsonObject };

/** One server of an attempt, connected, with its list of tools. */
export class McpServer {
  private constructor(
    readonly name: string,
    private readonly channel: McpChannel,
    private readonly limits: McpLimits,
    readonly info: { name: string; version: string },
    readonly tools: readonly ListedTool[],
  ) {}

  /** Connects and lists. Throws McpFailure. */
  static async open(
    name: string,
    channel: McpChannel,
    { limits, signal }: { limits: McpLimits; signal: AbortSignal },
  ): Promise<McpServer> {
    const bounds = { timeoutMs: limits.startMs, signal };
    const hello = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
    const { info } = await channel.request('initialize', hello, bounds);
    await channel.notify('notifications/initialized', bounds);
    const tools = await listTools(name, channel, { limits, bounds });
    return new McpServer(name, channel, limits, info, tools);
  }

  /** Of the list, whatever its order. */
  get digest(): string {
    return digestOf(this.tools);
  }

  /** Throws ToolError. */
  async call(tool: string, args: JsonObject, bounds: RequestBounds): Promise<JsonValue> {
    try {
      const { output } = await this.channel.request('tools/call', { name: tool, arguments: args }, bounds);
      return resultOf(output);
    } catch (error) {
      if (!(error instanceof McpFailure)) throw error;
      throw new ToolError(`mcp_${error.code}`, error.message);
    }
  }

  /** True when the server has another list now. A server that cannot be reached has not changed its list. */
  async hasChanged(signal: AbortSignal): Promise<boolean> {
    const { limits } = this;
    try {
      const bounds = { timeoutMs: limits.relistMs, signal };
      return digestOf(await listTools(this.name, this.channel, { limits, bounds })) !== this.digest;
    } catch (error) {
      if (!(error instanceof McpFailure)) throw error;
      return error.code === 'malformed' || error.code === 'too_large';
    }
  }

  async close(): Promise<void> {
    await this.channel.close();
  }
}

async function listTools(
  server: string,
  channel: McpChannel,
  { limits, bounds }: { limits: McpLimits; bounds: RequestBounds },
): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  let bytes = 0;
  for (let page = 1; ; page++) {
    if (page > limits.pages)
      throw new McpFailure('too_large', `its list has more than ${limits.pages} pages`);
    const request = cursor === undefined ? {} : { cursor };
    const { list, nextCursor } = await channel.request('tools/list', request, bounds);
    if (list === undefined) throw new McpFailure('malformed', 'its list holds no tools');
    if (tools.length + list.count > limits.tools) {
      throw new McpFailure('too_large', `it lists more than ${limits.tools} tools`);
    }
    bytes += list.bytes;
    if (bytes > limits.listBytes)
      throw new McpFailure('too_large', `its list has more than ${formatBytes(limits.listBytes)}`);
    for (const listed of list.tools) tools.push(toolOf(server, listed, limits));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  const names = tools.map(({ name }) => name);
  const again = names.find((name, index) => names.indexOf(name) < index);
  if (again !== undefined) throw new McpFailure('malformed', `it lists the tool "${again}" twice`);
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toolOf(server: string, listed: unknown, limits: McpLimits): ListedTool {
  const name = isRecord(listed) ? textIn(listed, 'name') : undefined;
  if (!isRecord(listed) || name === undefined)
    throw new McpFailure('malformed', 'it lists a tool without a name');
  if (!NAME.test(name) || serverToolName(server, name).length > limits.nameLength) {
    const rule = `1 to ${limits.nameLength - serverToolName(server, '').length} of A to Z, a to z, digits, _ and -`;
    throw new McpFailure('malformed', `it lists a tool whose name is not ${rule}`);
  }
  const { inputSchema, description = '' } = listed;
  if (!isRecord(inputSchema)) throw new McpFailure('malformed', `its tool "${name}" has no schema`);
  if (typeof description !== 'string' || description.length > limits.descriptionLength) {
    throw new McpFailure('malformed', `its tool "${name}" has no description of a length that is allowed`);
  }
  return { name, description, parameters: { ...(inputSchema as JsonObject), type: 'object' } };
}

function digestOf(tools: readonly ListedTool[]): string {
  return createHash('sha256').update(JSON.stringify(tools)).digest('hex');
}

/** Throws ToolError. */
function resultOf({ text, isError }: McpResult['output']): JsonValue {
  if (!isError) return { content: text };
  throw new ToolError('mcp_tool_error', 'the tool reported an error', { result: { content: text } });
}

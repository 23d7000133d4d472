import path from 'node:path';
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { emptyFolder, PROGRAM, startCommand } from './command.js';

export interface ToolResult {
  isError: boolean;
  text: string;
}

/** The protocol as most clients use it, and its version of 2026. */
export type Generation = 'legacy' | 'auto';

/** A client of the official SDK, connected to `agentclash mcp`. */
export class McpTestClient {
  private constructor(
    private readonly client: Client,
    private readonly stopServer: () => Promise<void>,
  ) {}

  static async overStdio(
    folder: string,
    { words = [], env = {}, generation = 'legacy' }: ServerSettings = {},
  ): Promise<McpTestClient> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: generation } });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp', ...words],
        env: environmentOf(env),
        cwd: folder,
        stderr: 'inherit',
      }),
    );
    return new McpTestClient(client, async () => undefined);
  }

  static async overHttp(
    folder: string,
    { words = [], env = {}, generation = 'legacy' }: ServerSettings = {},
  ): Promise<McpTestClient> {
    const server = await startHttp(folder, { words, env });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: generation } });
    const requestInit = { headers: { authorization: `Bearer ${server.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    return new McpTestClient(client, server.stop);
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(
    name: string,
    given: Record<string, unknown>,
    options: { signal?: AbortSignal; onprogress?: (progress: Progress) => void } = {},
  ): Promise<ToolResult> {
    const result = await this.client.callTool({ name, arguments: given }, { timeout: 120_000, ...options });
    const [content] = result.content;
    return { isError: result.isError === true, text: content?.type === 'text' ? content.text : '' };
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.stopServer();
  }
}

interface ServerSettings {
  words?: readonly string[];
  env?: Record<string, string>;
  generation?: Generation;
}

/** A home of its own: no settings of the machine are seen. */
function environmentOf(env: Record<string, string>): Record<string, string> {
  const home = emptyFolder();
  return { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...env };
}

/** `agentclash mcp --http 0`, when it serves. */
export async function startHttp(
  folder: string,
  { words = [], env = {} }: ServerSettings = {},
): Promise<{ url: string; token: string; stop: () => Promise<void> }> {
  const running = startCommand(['mcp', '--http', '0', ...words, '--json'], {
    cwd: folder,
    env: environmentOf(env),
  });
  const { child, ended } = running;
  const { url, token } = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const text = running.stdout();
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text));
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { url, token, stop };
}

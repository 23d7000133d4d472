import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';
import { Interrupt } from '../follow/interrupt.js';
import { AllowedFolders } from '../mcp/allowed-folders.js';
import { environmentOfFiles, environmentOfServer, secretValuesOf } from '../mcp/child-environment.js';
import type { ToolServer } from '../mcp/mcp-server.js';
import type { Session } from '../session/session.js';

interface Input {
  http?: number;
  folder?: string[];
  secret?: string[];
  allowLoopbackEndpoints?: boolean;
}

/** Serves the tools of this program to agents by MCP, until the client is gone or Ctrl-C. */
export async function serveMcp(session: Session, input: Input): Promise<ExitCode | undefined> {
  const { ToolServer } = await import('../mcp/mcp-server.js');
  const { secret: secrets = [], allowLoopbackEndpoints = false } = input;
  const variables = environment.operator;
  const unset = secrets.find((name) => variables[name] === undefined);
  if (unset !== undefined) {
    throw new CommandError(
      'usage',
      `The secret ${unset} has no value: there is no environment variable ${unset}`,
    );
  }
  const workingFolder = process.cwd();
  const folders = await AllowedFolders.of([workingFolder, ...(input.folder ?? [])]).catch(
    (cause: unknown) => {
      const { code, path } = cause as NodeJS.ErrnoException;
      throw new CommandError('not_found', `The folder ${path} cannot be read (${code})`, { cause });
    },
  );
  const { apiUrl, token, workspace } = session.options;
  const tools = new ToolServer({
    ...{ secrets, allowLoopbackEndpoints, folders, workingFolder },
    environments: {
      files: environmentOfFiles(variables, secrets),
      server: environmentOfServer(variables, { api_url: apiUrl, token, workspace }),
    },
    secretValues: secretValuesOf(variables, await session.settings(), secrets),
  });
  const interrupt = new Interrupt();
  try {
    await (input.http === undefined
      ? overStdio(tools, interrupt.signal)
      : overHttp(session, tools, { port: input.http, signal: interrupt.signal }));
    return interrupt.happened ? EXIT_CODES.ok : undefined;
  } finally {
    interrupt.release();
    tools.stop();
  }
}

async function overStdio(tools: ToolServer, signal: AbortSignal): Promise<void> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const serving = serveStdio(() => tools.connection());
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve).once('end', resolve);
    whenAborted(signal, resolve);
  });
  await serving.close();
  process.stdin.destroy();
}

async function overHttp(
  session: Session,
  tools: ToolServer,
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<void> {
  const { mcpToken } = environment;
  if (mcpToken !== undefined && !/^[\w.~+/=-]{16,512}$/.test(mcpToken)) {
    throw new CommandError('usage', 'AGENTCLASH_MCP_TOKEN is no token of 16 characters or more', {
      hint: 'Letters, digits and . ~ + / = - _ are permitted, as from: openssl rand -hex 32',
    });
  }
  const { serveHttp } = await import('../mcp/serve-http.js');
  const endpoint = await serveHttp(tools, { port, token: mcpToken }).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError('unavailable', `Port ${port} of 127.0.0.1 cannot be used (${code})`, {
      hint: '--http 0 takes a free one.',
      cause,
    });
  });
  const { url, token } = endpoint;
  session.out.result({ url, token }, () => `${url}\nAuthorization: Bearer ${token}`);
  session.out.note(
    session.out.paint.dim('Only this machine reaches it, and only with this token. Ctrl-C ends it.'),
  );
  await new Promise<void>((resolve) => whenAborted(signal, resolve));
  await endpoint.close();
}

function whenAborted(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

import { EXIT_CODES } from '@agentclash/domain';
import { createRedactor, type Redactor } from '@agentclash/redaction';
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { installedVersion } from '../installed-version.js';
import { printable } from '../terminal/printable.js';
import type { AllowedFolders } from './allowed-folders.js';
import { CallError } from './call-error.js';
import { checkedInput } from './checked-input.js';
import { type EndedCommand, runCommand } from './child-command.js';
import { Pages } from './pages.js';
import { Progress } from './progress.js';
import type { CommandSettings, ServerOptions, ToolReply } from './tool.js';
import { TOOLS } from './tools.js';

/** Everything that one server process has for its clients. */
export interface ToolServerOptions extends ServerOptions {
  folders: AllowedFolders;
  /** Where commands run. */
  workingFolder: string;
  environments: { files: Readonly<Record<string, string>>; server: Readonly<Record<string, string>> };
  /** Values that no reply may have. */
  secretValues: readonly { key: string; value: string }[];
}

/** Commands at once, of all clients. */
const COMMANDS_MAX = 8;

/** The tools of this program as MCP servers: one for each connection, with the same limits for all. */
export class ToolServer {
  private readonly pages = new Pages();
  private readonly redactor: Redactor;
  private readonly calls = new Set<AbortController>();

  constructor(private readonly options: ToolServerOptions) {
    this.redactor = createRedactor(options.secretValues);
  }

  connection(): McpServer {
    const server = new McpServer(
      { name: 'agentclash', title: 'AgentClash', version: installedVersion() },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    );
    for (const [name, tool] of Object.entries(TOOLS)) {
      const { title, description, input, isReadOnly: readOnlyHint } = tool;
      const annotations = { readOnlyHint, destructiveHint: false };
      const inputSchema = checkedInput(name, input);
      server.registerTool(name, { title, description, inputSchema, annotations }, (input, context) =>
        this.reply({ name, context }, (call) =>
          tool.call(input, { ...call, options: this.options, folders: this.options.folders }),
        ),
      );
    }
    server.registerTool(
      'more',
      {
        title: 'Read the next page of a long reply',
        description: 'Shows a further page of a reply that was longer than a page.',
        inputSchema: checkedInput('more', MoreInput),
        annotations: { readOnlyHint: true },
      },
      ({ cursor }) => refusing(async () => textResult(this.pages.at(cursor))),
    );
    return server;
  }

  /** Stops everything that runs. */
  stop(): void {
    for (const call of this.calls) call.abort();
  }

  private async reply(
    { name, context }: { name: string; context: ServerContext },
    work: (call: Parameters<(typeof TOOLS)[string]['call']>[1]) => Promise<ToolReply>,
  ): Promise<CallToolResult> {
    if (this.calls.size >= COMMANDS_MAX) {
      return textResult(`${COMMANDS_MAX} calls are under way.\nNext: wait for one of them to end.`, true);
    }
    const abort = new AbortController();
    this.calls.add(abort);
    const signal = AbortSignal.any([abort.signal, context.mcpReq.signal]);
    const progress = new Progress((report) =>
      notify(context, { ...report, message: this.safe(report.message) }),
    );
    const { options } = this;
    const command = (words: readonly string[], settings: CommandSettings = {}): Promise<EndedCommand> => {
      const { isProgress = () => false, isOfFiles = false, isFinal = false } = settings;
      return runCommand({
        ...{ words, folder: options.workingFolder, onLine: isProgress },
        environment: isOfFiles ? options.environments.files : options.environments.server,
        signal: isFinal ? new AbortController().signal : signal,
      });
    };
    try {
      return await refusing(async () => {
        const { ended, next = [] } = await work({
          ...{ options, folders: options.folders, progress, signal, command },
        });
        return textResult(this.pages.first(this.safe(textOf(name, { ended, next }))), ended.some(isFailure));
      });
    } finally {
      progress.end();
      this.calls.delete(abort);
    }
  }

  private safe(text: string): string {
    return this.redactor.text(printable(text));
  }
}

const MoreInput = z.strictObject({ cursor: z.string().describe('as the page before has it') });

const INSTRUCTIONS =
  'AgentClash evaluates AI agents on challenge packs (YAML files). Write a pack: validate after each edit, audit when it is valid, run to race agents, then scorecard and replay for the reasons. Paths count from the working directory of this server.';

function notify(
  { mcpReq }: ServerContext,
  report: { progress: number; total?: number; message: string },
): void {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken === undefined) return;
  // A client that is gone has its call aborted: nothing is lost with its progress.
  mcpReq
    .notify({ method: 'notifications/progress', params: { progressToken, ...report } })
    .catch(() => undefined);
}

async function refusing(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return textResult([error.message, ...error.next.map((step) => `Next: ${step}`)].join('\n'), true);
  }
}

function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

const EXIT_NAMES = new Map<number, string>(Object.entries(EXIT_CODES).map(([name, code]) => [code, name]));
const VERDICTS: ReadonlySet<number | null> = new Set([
  EXIT_CODES.ok,
  EXIT_CODES.failed,
  EXIT_CODES.warned,
  EXIT_CODES.insufficient_evidence,
]);

/** A verdict is no failure, whatever it is; nor are the problems of a pack. */
function isFailure({ code, stdout }: EndedCommand): boolean {
  return !VERDICTS.has(code) && stdout.trim() === '';
}

function textOf(name: string, { ended, next = [] }: ToolReply): string {
  const parts = ended.map(({ code, stdout, notes, isCancelled }) => {
    const exit = code === null ? 'ended by a signal' : (EXIT_NAMES.get(code) ?? 'unknown');
    const cancelled = isCancelled ? ', after the call was cancelled' : '';
    // Next steps of this call name tools in the place of commands.
    const kept = next.length === 0 ? notes : notes.filter((note) => !note.startsWith('agentclash '));
    return [`Exit code ${code ?? '-'}: ${exit}${cancelled}`, stdout.trim(), ...kept].filter(
      (part) => part !== '',
    );
  });
  const steps = next.length > 0 ? next : ended.flatMap((each) => repeated(name, each));
  return [...parts.flat(), ...steps.map((step) => `Next: ${step}`)].join('\n');
}

/** The next step after a command that its arguments, or the file that they name, do not let run. */
function repeated(name: string, { code, stdout }: EndedCommand): string[] {
  if (code !== EXIT_CODES.usage && code !== EXIT_CODES.not_found) return [];
  return stdout.trim() === ''
    ? [`change the arguments as the error describes it, then call ${name} again`]
    : [`correct these lines of the file, then call ${name} again`];
}

import { PassThrough } from 'node:stream';
import type { RenderedProgram } from '@agentclash/agent-presets';
import type { ProgramConfig } from '@agentclash/attempt-plan';
import type { ExecResult } from '@agentclash/sandbox';
import { type AttemptEnd, AttemptEnded, shortText } from '../outcome/attempt-end.js';
import { BROKER_URL } from '../programs/program-broker.js';
import type { AcpResult, AcpUpdate } from '../replies/acp-message.js';
import type { LineFailure } from '../replies/line-reader.js';
import { readHere } from '../replies/read-reply.js';
import { type AttemptSandbox, TAIL_BYTES, tailText } from '../sandbox/attempt-sandbox.js';
import { programPrompt } from '../task/task-document.js';
import { AcpConnection } from './acp-connection.js';
import { AcpTurn } from './acp-turn.js';
import type { DriverContext, DriverResult } from './driver.js';
import {
  endOfProgram,
  programEnvironment,
  programSandbox,
  stagePreset,
  stageProgram,
  stageTask,
} from './program.js';

const PROTOCOL_VERSION = 1;
const LINE_BYTES_MAX = 4 * 1024 * 1024;
/** Of output that the platform has not read. */
const UNREAD_OUTPUT_BYTES_MAX = 8 * 1024 * 1024;
/** Of an attempt, all streams together. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Of messages that the agent has not read. */
const UNREAD_BYTES_MAX = 32 * 1024 * 1024;
/** For an agent whose input has ended, to exit by itself. */
const EXIT_MS = 2_000;
/** Beyond the time of the attempt, which ends the process: of a conversation, the waits for others do not count. */
const PROCESS_SLACK_MS = 3_600_000;
const SESSION_ID_LENGTH_MAX = 1_024;

/** Runs an agent of ACP on the task alone. */
export async function driveAcp(config: ProgramConfig, context: DriverContext): Promise<DriverResult> {
  const agent = new AcpAgent(config, context);
  try {
    const end = await agent.prompt();
    return { end, output: agent.text };
  } catch (error) {
    if (!(error instanceof AttemptEnded)) throw error;
    return { end: error.end, output: agent.text };
  } finally {
    await agent.close();
  }
}

type Exited = { exec: ExecResult } | { thrown: unknown };
type Opened = { end: AttemptEnd } | { task: string[] };
type StagedProgram = Pick<RenderedProgram, 'command' | 'env' | 'prompt'>;
type Called = { result: AcpResult } | { end: AttemptEnd };

/** A program that is an agent of the Agent Client Protocol, kept running between turns. */
export class AcpAgent {
  private readonly sandbox: AttemptSandbox;
  private readonly input = new PassThrough();
  private readonly stopped = new AbortController();
  private readonly connection: AcpConnection;
  private turn = new AcpTurn();
  private process: Promise<Exited> | undefined;
  private sessionId: string | undefined;
  private failure: AttemptEnd | undefined;
  private outputBytes = 0;

  constructor(
    private readonly config: ProgramConfig,
    private readonly context: DriverContext,
  ) {
    this.sandbox = programSandbox(context);
    const handlers = {
      write: (line: string) => this.write(line),
      onUpdate: (update: AcpUpdate) => this.onUpdate(update),
      onFailure: (failure: LineFailure) => this.fail(FAILURES[failure]),
    };
    const { readReplies = readHere } = context;
    this.connection = new AcpConnection(handlers, {
      lineBytesMax: LINE_BYTES_MAX,
      unreadBytesMax: UNREAD_OUTPUT_BYTES_MAX,
      read: (bytes, signal) => readReplies({ form: 'acp_lines', bytes }, { signal }),
    });
  }

  /** The text of the turn so far, within the limit of outputs. */
  get text(): string {
    return tailText(Buffer.from(this.turn.text), this.context.plan.limits.max_output_bytes);
  }

  /** Takes one turn; the first one starts the program and has the task. Throws AttemptEnded. */
  async prompt(...messages: readonly string[]): Promise<AttemptEnd> {
    const opened = await this.open();
    if ('end' in opened) return opened.end;
    this.turn = new AcpTurn();
    const prompt = [...opened.task, ...messages].map((text) => ({ type: 'text', text }));
    const called = await this.call('session/prompt', { sessionId: this.sessionId, prompt });
    return 'end' in called ? called.end : this.endOfTurn(called.result.stopReason);
  }

  /** Ends the program. Never rejects. */
  async close(): Promise<void> {
    const { process } = this;
    if (process === undefined) return;
    this.connection.close();
    this.input.end();
    await this.context.stage.uncounted(() => this.ended(process)).catch(() => undefined);
  }

  private async ended(process: Promise<Exited>): Promise<void> {
    const exited = new AbortController();
    const timeout = this.context.clock.sleep(EXIT_MS, exited.signal).then(() => this.stopped.abort());
    await Promise.race([process, timeout]).finally(() => exited.abort());
    await process;
  }

  /** Opens the session, unless it is open; the task is for its first turn. */
  private async open(): Promise<Opened> {
    if (this.sessionId !== undefined) return { task: [] };
    const program = await this.stage();
    this.context.stage.check();
    this.process = this.start(program);
    const end = await this.openSession();
    return end ? { end } : { task: [program.prompt] };
  }

  private async stage(): Promise<StagedProgram> {
    const { config, context } = this;
    const run = { sandbox: this.sandbox, context };
    await stageProgram(config, run);
    if (config.preset) return await stagePreset(config, config.preset, run);
    await stageTask(context.task, run);
    const env = programEnvironment(config, context);
    return { command: config.command, env, prompt: programPrompt(context.task) };
  }

  private async openSession(): Promise<AttemptEnd | undefined> {
    const initialized = await this.call('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    if ('end' in initialized) return initialized.end;
    const { protocolVersion, hasHttp } = initialized.result;
    if (protocolVersion !== PROTOCOL_VERSION)
      return malformed(`the version of ACP is not ${PROTOCOL_VERSION}`);
    const cwd = this.context.plan.filesystem.working_directory;
    const mcpServers = this.mcpServers(hasHttp);
    const session = await this.call('session/new', { cwd, mcpServers });
    if ('end' in session) return session.end;
    const { sessionId } = session.result;
    if (sessionId === undefined || sessionId.length > SESSION_ID_LENGTH_MAX) {
      return malformed('the session has no id, or one that is too long');
    }
    this.sessionId = sessionId;
    return undefined;
  }

  private start({ command, env }: StagedProgram): Promise<Exited> {
    const { context } = this;
    const running = this.sandbox.exec(command, {
      stdin: this.input,
      cwd: context.plan.filesystem.working_directory,
      env,
      timeoutMs: context.stage.remainingMs() + PROCESS_SLACK_MS,
      waits: context.stage.excludedWaits(),
      outputBytesMax: OUTPUT_BYTES_MAX,
      tailBytes: TAIL_BYTES,
      stop: this.stopped.signal,
      onStdout: (chunk) => this.onOutput(chunk, this.connection),
      onStderr: (chunk) => this.onOutput(chunk),
    });
    const process = running.then(
      (exec): Exited => ({ exec }),
      (thrown: unknown): Exited => ({ thrown }),
    );
    void process.then((exited) => ('exec' in exited ? this.connection.end() : this.connection.close()));
    context.stage.signal.addEventListener('abort', () => this.connection.close(), { once: true });
    return process;
  }

  /** The tools of the pack, for an agent that can reach them over HTTP. */
  private mcpServers(hasHttp: boolean): object[] {
    const { broker } = this.context;
    if (!broker?.hasTools || !hasHttp) return [];
    const headers = [{ name: 'Authorization', value: `Bearer ${broker.token}` }];
    return [{ type: 'http', name: 'agentclash', url: `${BROKER_URL}/mcp`, headers }];
  }

  private async call(method: string, params: object): Promise<Called> {
    this.context.stage.check();
    const response = await this.connection.request(method, params);
    if ('closed' in response) return { end: await this.endOfConnection() };
    if ('result' in response) return response;
    const { code, message } = response.error;
    const text = shortText(this.context.history.secrets.redact(message));
    const sentence = `the agent reported the error ${code ?? 'without a code'}${text && `: ${text}`}`;
    return { end: { because: 'agent_error', code: 'reported_failure', message: sentence } };
  }

  private onOutput(chunk: Uint8Array, connection?: AcpConnection): void {
    this.outputBytes += chunk.length;
    if (this.outputBytes >= OUTPUT_BYTES_MAX) this.fail({ because: 'limit', limit: 'output' });
    else connection?.receive(chunk);
  }

  private onUpdate({ sessionId, update }: AcpUpdate): void {
    if (sessionId !== this.sessionId) return;
    this.turn.update(update);
    const { max_output_bytes } = this.context.plan.limits;
    if (this.turn.bytes > max_output_bytes) this.fail({ because: 'limit', limit: 'output' });
  }

  private write(line: string): void {
    const { input } = this;
    if (!input.writable) return;
    input.write(line);
    if (input.readableLength + input.writableLength > UNREAD_BYTES_MAX)
      this.fail(malformed('the program does not read its input'));
  }

  /** The first cause counts. */
  private fail(end: AttemptEnd): void {
    this.failure ??= end;
    this.connection.close();
  }

  private async endOfConnection(): Promise<AttemptEnd> {
    if (this.failure) return this.failure;
    this.context.stage.signal.throwIfAborted();
    const exited = (await this.process) ?? { thrown: new Error('the program was not started') };
    if ('thrown' in exited) throw exited.thrown;
    const { exec } = exited;
    if (exec.timedOut) return { because: 'limit', limit: 'time' };
    const end = endOfProgram({ ...exec, oom: exec.oomKilled && exec.signal === 'SIGKILL' }, '');
    return end.because === 'completed' ? malformed('the program exited before the end of its turn') : end;
  }

  private endOfTurn(stopReason: string | undefined): AttemptEnd {
    if (stopReason === 'end_turn') return { because: 'completed', finishedBy: 'program', output: this.text };
    if (stopReason === undefined || !STOP_REASONS.includes(stopReason)) {
      return malformed('the turn ended without a reason of ACP');
    }
    const message = `the agent ended its turn with ${stopReason}`;
    return { because: 'agent_error', code: 'reported_failure', message };
  }
}

/** The end at each failure to read the output. */
const FAILURES: Record<LineFailure, AttemptEnd> = {
  line: { because: 'limit', limit: 'output' },
  unread: { because: 'limit', limit: 'output' },
  overrun: malformed('a message takes too much time or memory to read'),
  unreadable: { because: 'infra', code: 'internal', message: 'the output of the program could not be read' },
};

/** Ends of a turn that are no success. */
const STOP_REASONS: readonly string[] = ['max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

function malformed(message: string): AttemptEnd {
  return { because: 'agent_error', code: 'malformed_reply', message };
}

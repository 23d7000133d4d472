import type { ScriptCheck } from '@agentclash/attempt-plan';
import type { ScriptRuntime } from '@agentclash/challengepack';
import type { ScriptExecuted } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { EVIDENCE_BYTES_MAX } from '../events/kept-evidence.js';
import { type AttemptSandbox, starvedField, tailText } from '../sandbox/attempt-sandbox.js';

/** Of the reply: a script that prints more is ended. */
const REPLY_BYTES_MAX = 64 * 1024;
/** Of standard error. */
const STDERR_BYTES_MAX = 16 * 1024;
/** Of an output that is no reply: enough to see what it is. */
const START_BYTES = 1024;
/** Of both streams; beyond it they are not even counted. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Without the packages of the user: the home directory may be a part of the workspace. */
const COMMANDS: Record<ScriptRuntime, readonly string[]> = {
  python: ['python3', '-s', '-B'],
  node: ['node'],
};

export interface ScriptContext {
  sandbox: AttemptSandbox;
  events: AttemptEvents;
  clock: Clock;
  /** Undefined: it is too large. */
  input: string | undefined;
}

/** Runs a script of the pack on the evidence and records its reply, which scoring reads. */
export async function runScript(
  { validator_key, path, runtime, timeout_ms }: ScriptCheck,
  { sandbox, events, clock, input }: ScriptContext,
): Promise<void> {
  if (input === undefined || Buffer.byteLength(input) > EVIDENCE_BYTES_MAX) {
    recordUnread({ validator_key, runtime }, events, { evidence_too_large: true });
    return;
  }
  const printed = new PrintedReply();
  const startedAt = clock.monotonic();
  const running = sandbox.exec([...COMMANDS[runtime], path], {
    timeoutMs: timeout_ms,
    stdin: input,
    tailBytes: REPLY_BYTES_MAX,
    outputBytesMax: OUTPUT_BYTES_MAX,
    onStdout: (chunk) => printed.add(chunk),
    stop: printed.tooLong,
  });
  const exec = await running.catch((error: unknown) => {
    if (error === printed.tooLong.reason) return undefined;
    throw error;
  });
  if (exec === undefined) {
    const duration_ms = Math.round(clock.monotonic() - startedAt);
    const { bytes: stdout_bytes, start: stdout } = printed;
    recordUnread({ validator_key, runtime }, events, { stdout, stdout_bytes, duration_ms });
    return;
  }
  events.record('grader.verification.script_executed', {
    validator_key,
    runtime,
    exit_code: exec.signal === undefined ? exec.exitCode : null,
    timed_out: exec.timedOut,
    oom: exec.oomKilled,
    stdout: tailText(exec.stdout, REPLY_BYTES_MAX),
    stdout_bytes: printed.bytes,
    stderr_tail: tailText(exec.stderr, STDERR_BYTES_MAX),
    duration_ms: Math.round(exec.durationMs),
    ...starvedField(exec),
  });
}

/** Counts the output, and ends the script that has printed more than a reply can have. */
class PrintedReply {
  bytes = 0;
  /** The beginning of the output. */
  start = '';
  readonly #stop = new AbortController();

  get tooLong(): AbortSignal {
    return this.#stop.signal;
  }

  add(chunk: Uint8Array): void {
    if (this.bytes === 0) this.start = new TextDecoder().decode(chunk.subarray(0, START_BYTES));
    this.bytes += chunk.length;
    if (this.bytes > REPLY_BYTES_MAX) this.#stop.abort();
  }
}

/** A script without an end of its own: it was not run, or it was ended. */
function recordUnread(
  { validator_key, runtime }: Pick<ScriptCheck, 'validator_key' | 'runtime'>,
  events: AttemptEvents,
  found: Partial<ScriptExecuted>,
): void {
  events.record('grader.verification.script_executed', {
    validator_key,
    runtime,
    exit_code: null,
    timed_out: false,
    oom: false,
    stdout: '',
    stdout_bytes: 0,
    stderr_tail: '',
    duration_ms: 0,
    ...found,
  });
}

import {
  type CodeExecutionCheck,
  type GraderPlan,
  needsVerifier,
  type PlannedGraderFile,
  type ScriptCheck,
} from '@agentclash/attempt-plan';
import { GRADER_DIRECTORY, renderTemplate, TemplateError, templateContext } from '@agentclash/challengepack';
import type { SnapshotRef } from '@agentclash/domain';
import { SANDBOX_DEFAULTS } from '@agentclash/sandbox';
import { endOfError, mustBeLogged } from '../attempt/end-of-error.js';
import type { AttemptPorts } from '../attempt/ports.js';
import { closeSandbox, type HostedSandbox, openSandbox, wallMsOf } from '../attempt/sandbox-host.js';
import type { AttemptHistory } from '../events/history.js';
import { outcomeOf, unlessAborted } from '../outcome/attempt-end.js';
import { EndingSignal, StageClock } from '../outcome/stage-clock.js';
import { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { type GraderFolders, graderFolders, writeGraderFiles } from './grader-folders.js';
import { scriptEvidence, scriptInput } from './script-evidence.js';
import { runScript } from './script-run.js';
import {
  captureAll,
  type ExpectationFile,
  expectationFiles,
  runTests,
  type TestRunPayload,
} from './test-run.js';

const VERIFY_MS = 600_000;
/** A sandbox that waits longer for its test is opened again by the next try. */
const CPU_WAIT_MS_MAX = 6 * 3_600_000;

export interface VerifyAttemptOptions
  extends Pick<
    AttemptPorts,
    'sandboxes' | 'images' | 'starvationMax' | 'artifacts' | 'snapshots' | 'clock' | 'onStage' | 'onError'
  > {
  plan: GraderPlan;
  /** Labels of its sandboxes. */
  runId: string;
  /** The workspace as the agent left it; null where it had none. */
  snapshot: SnapshotRef | null;
  /** The attempt's; the verifier's events continue after its last. */
  history: AttemptHistory;
  /** The gate to grade, and nothing else, while the conversation waits for it; absent: what is left at its end. */
  phase?: { id: string; validatorKey: string };
  onTestRun?: (run: TestRunPayload) => void;
  /**
   * Waits until a test may use so many CPUs; returns a function that releases them. An aborted signal ends the wait.
   */
  takeCpu?: (cpu: number, signal: AbortSignal) => Promise<() => void>;
  signal: AbortSignal;
}

/** `failed` is an error of the verifier, never of the agent, and can be retried from the snapshot alone. */
export type Verification = { status: 'verified' } | { status: 'failed'; code: string };

/** Looks at the workspace in sandboxes that the agent never touched. Never rejects; everything found is an event. */
export async function verifyAttempt(options: VerifyAttemptOptions): Promise<Verification> {
  if (!needsVerifier(options.plan)) return { status: 'verified' };
  options.onStage?.('verifying');
  const overrun = {
    because: 'infra',
    code: 'verify_timeout',
    message: 'verification took too long',
  } as const;
  const ending = new EndingSignal(options.signal);
  const stage = new StageClock(options.clock, { ms: VERIFY_MS, overrun, outer: ending.signal });
  const verifier = new Verifier(options, stage);
  try {
    await verifier.run();
    return { status: 'verified' };
  } catch (error) {
    if (mustBeLogged(error)) options.onError?.(error);
    const { events } = options.history;
    events.closeOpen({ code: 'verifier_failed', message: 'the verification ended before this did' });
    const { code, message } = failureOf(error);
    events.record('grader.verification.failed', { stage: verifier.at, code, message });
    return { status: 'failed', code };
  } finally {
    stage.stop();
    ending.release();
  }
}

interface TestRun {
  check: CodeExecutionCheck;
  command: string;
  phase_id?: string;
}

function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof TemplateError)
    return { code: error.code, message: 'the test command refers to a member that the case does not have' };
  const end = endOfError(error);
  if (end.because === 'cancelled') return { code: 'cancelled', message: 'the attempt was cancelled' };
  const { code = 'internal', message = 'the verifier failed' } = outcomeOf(end);
  return { code, message };
}

class Verifier {
  /** The current operation, for the event of a failure. */
  at = 'prepare';
  private readonly folders: GraderFolders;

  constructor(
    private readonly options: VerifyAttemptOptions,
    private readonly stage: StageClock,
  ) {
    this.folders = graderFolders(options.plan);
  }

  /**
   * Captures come first, in a workspace that no test has changed. Every test run gets a sandbox of its own: code of
   * the agent that one test executes must not reach the workspace of another.
   */
  async run(): Promise<void> {
    const { plan, artifacts, phase } = this.options;
    const commands = this.dueRuns().map((run) => ({ ...run, command: this.commandOf(run.check) }));
    const files = await expectationFiles(plan.expectations, artifacts, this.stage.signal);
    const [first, ...others] = commands;
    const captures = phase ? [] : plan.checks;
    if (captures.length > 0 || first) {
      await this.inFreshSandbox(async (host) => {
        if (!phase) await this.capture(host);
        if (first) await this.test(host, { ...first, files });
      });
    }
    for (const other of others) {
      await this.inFreshSandbox((host) => this.test(host, { ...other, files }));
    }
    if (!phase) await this.runScripts(plan.scripts ?? [], files);
  }

  /** The test runs that are due: a validator of gates runs for phases alone, at the end for one that was broken off. */
  private dueRuns(): { check: CodeExecutionCheck; phase_id?: string }[] {
    const { plan, phase, history } = this.options;
    const { gates = [] } = plan;
    const phase_id = phase?.id ?? history.openPhase;
    return plan.code_executions.flatMap((check) => {
      const ofValidator = gates.filter(({ validator }) => validator.key === check.validator_key);
      const isDue = ofValidator.some((gate) => gate.phase_id === phase_id);
      if (phase_id !== undefined && isDue) {
        return phase && phase.validatorKey !== check.validator_key ? [] : [{ check, phase_id }];
      }
      return phase || ofValidator.length > 0 ? [] : [{ check }];
    });
  }

  /** Scripts come last: the evidence has all captures. */
  private async runScripts(
    scripts: readonly ScriptCheck[],
    files: readonly ExpectationFile[],
  ): Promise<void> {
    if (scripts.length === 0) return;
    const { plan, artifacts, history } = this.options;
    const { evidence: kept } = history;
    const { signal } = this.stage;
    this.at = 'evidence';
    const evidence =
      kept === undefined || kept.isTooLarge
        ? undefined
        : await scriptEvidence({ plan, events: kept.events, artifacts, signal });
    for (const check of scripts) {
      const input = evidence && scriptInput(check, evidence);
      // Attempts without a workspace end in large numbers at once: each opens its sandbox when it may use a CPU.
      const release = await this.takeCpu();
      try {
        await this.inFreshSandbox((host) => this.script(host, { check, input, files }));
      } finally {
        release();
      }
    }
  }

  private async script(
    host: HostedSandbox,
    {
      check,
      input,
      files,
    }: { check: ScriptCheck; input: string | undefined; files: readonly ExpectationFile[] },
  ): Promise<void> {
    const sandbox = this.use(host);
    const { plan, history, clock } = this.options;
    const { path, artifact } = check;
    await this.writeFiles(sandbox, files, [...(plan.grader_files ?? []), { path, artifact }]);
    this.at = 'script';
    this.stage.check();
    const timeout_ms = Math.max(1, Math.min(check.timeout_ms, this.stage.remainingMs()));
    await runScript({ ...check, timeout_ms }, { sandbox, events: history.events, clock, input });
  }

  private async writeFiles(
    sandbox: AttemptSandbox,
    files: readonly ExpectationFile[],
    graderFiles: readonly PlannedGraderFile[],
  ): Promise<void> {
    this.at = 'grader_files';
    const { artifacts } = this.options;
    const { roots } = this.folders;
    await writeGraderFiles(graderFiles, { sandbox, roots, artifacts, signal: this.stage.signal });
    const options = { cwd: GRADER_DIRECTORY, roots: [GRADER_DIRECTORY] };
    for (const { path, content } of files) await sandbox.writeFile(path, content, options);
  }

  private async capture(host: HostedSandbox): Promise<void> {
    this.at = 'capture';
    const { plan, history } = this.options;
    await captureAll(plan.checks, {
      sandbox: this.use(host),
      events: history.events,
      roots: this.folders.known,
    });
  }

  private async test(
    host: HostedSandbox,
    { check, command, files, phase_id }: TestRun & { files: readonly ExpectationFile[] },
  ): Promise<void> {
    const sandbox = this.use(host);
    const { plan, history } = this.options;
    await this.writeFiles(sandbox, files, plan.grader_files ?? []);
    this.at = 'code_execution';
    const release = await this.takeCpu();
    try {
      this.stage.check();
      const timeout_ms = Math.max(1, Math.min(check.timeout_ms, this.stage.remainingMs()));
      const run = await runTests({ ...check, timeout_ms }, command, {
        sandbox,
        events: history.events,
        ...(phase_id !== undefined && { phase_id }),
        workingDirectory: plan.filesystem.working_directory,
        ...this.folders,
      });
      this.options.onTestRun?.(run);
    } finally {
      release();
    }
  }

  /** Called when everything else is ready, so that no CPU is held idle; the wait is excluded from the time limit. */
  private async takeCpu(): Promise<() => void> {
    const { takeCpu, plan } = this.options;
    if (!takeCpu) return () => {};
    return await this.stage.suspendedFor(() => takeCpu(plan.sandbox.resources.cpu, this.stage.signal));
  }

  private async inFreshSandbox(work: (host: HostedSandbox) => Promise<void>): Promise<void> {
    const { plan, runId, history, sandboxes, snapshots, snapshot, clock, starvationMax } = this.options;
    const { signal } = this.stage;
    const { events } = history;
    this.at = 'prepare';
    const order = {
      labels: { runId, attemptId: plan.attempt_id },
      filesystem: plan.filesystem,
      sandbox: plan.sandbox,
      env: plan.sandbox.env_vars,
      stagedRoots: this.folders.staged,
      wallMs: wallMsOf(VERIFY_MS, { sandboxes, starvationMax }) + CPU_WAIT_MS_MAX,
    };
    const host = await openSandbox(order, { ...this.options, events, stage: this.stage });
    try {
      this.at = 'restore';
      if (snapshot) await unlessAborted(host.session.restore(snapshots.get(snapshot)), signal);
      await work(host);
    } finally {
      await closeSandbox(host, 'verified', { clock, events });
    }
  }

  private use({ session }: HostedSandbox): AttemptSandbox {
    const { plan, history, clock } = this.options;
    const { signal, excludeStarved, beginCommand } = this.stage;
    const { starvationMax = SANDBOX_DEFAULTS.starvationMax } = this.options;
    const workingDirectory = plan.filesystem.working_directory;
    return new AttemptSandbox({
      session,
      events: history.events,
      clock,
      signal,
      origin: 'verifier',
      workingDirectory,
      excludeStarved,
      beginCommand,
      starvationMax,
    });
  }

  private commandOf({ test_command }: CodeExecutionCheck): string {
    const { payload, inputs } = this.options.plan.case;
    return renderTemplate(test_command, templateContext(payload, inputs), 'strict');
  }
}

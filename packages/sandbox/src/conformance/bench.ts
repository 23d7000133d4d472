import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { ExecOptions, ExecResult, SandboxProvider, SandboxSession } from '../contract.js';
import { SandboxError, type SandboxErrorCode } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';

const MIB = 1024 * 1024;
/** Of one test, unless it names its own. */
export const TEST_TIMEOUT_MS = 120_000;

/** One guarantee that every provider gives. */
export interface SandboxTest {
  /** Stable; providers name their exceptions by it. */
  id: string;
  guarantee: string;
  /** Default: `TEST_TIMEOUT_MS`. */
  timeoutMs?: number;
  run: (bench: Bench) => Promise<void>;
}

/** The context of a test: fresh sandboxes that are destroyed after it. */
export class Bench {
  readonly #opened: SandboxSession[] = [];
  readonly #made: string[] = [];

  constructor(
    readonly provider: SandboxProvider,
    /** A part of the volume will do. */
    readonly isQuick: boolean,
    /** Holds the directories of this machine that the provider shows to sandboxes. */
    private readonly hostDirectories?: string,
    /** Of the image that `image-tests.ts` describes. */
    private readonly image?: string,
    /** Of every sandbox, unless the test opens another. */
    private readonly spec: Partial<SandboxSpec> = {},
  ) {}

  async open(changes: Partial<SandboxSpec> = {}): Promise<SandboxSession> {
    const session = await this.provider.create({
      labels: { runId: 'conformance', attemptId: 'test' },
      // Nothing renews it, and how long a test takes depends on the machine.
      leaseMs: TEST_TIMEOUT_MS,
      ...this.spec,
      ...changes,
      limits: { ...LIMITS, ...changes.limits },
    });
    this.#opened.push(session);
    return session;
  }

  imageReference(): string {
    if (this.image === undefined) throw new Error('the suite names no image');
    return this.image;
  }

  /** A new directory of this machine, which sandboxes may have parts of. */
  hostDirectory(): string {
    if (this.hostDirectories === undefined) throw new Error('the suite names no directory of this machine');
    const directory = mkdtempSync(path.join(this.hostDirectories, 'conformance-'));
    chmodSync(directory, 0o755);
    this.#made.push(directory);
    return directory;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((session) => session.destroy()));
    for (const directory of this.#made) rmSync(directory, { recursive: true });
  }
}

export const LIMITS = { cpu: 1, memoryBytes: 128 * MIB, pids: 64, workspaceBytes: 32 * MIB };

/** Runs a shell script that must not hang; the script comes over stdin, so its size is free. */
export function sh(session: SandboxSession, script: string, options: ExecOptions = {}): Promise<ExecResult> {
  return session.exec(['sh', '-s'], { timeoutMs: 20_000, stdin: script, ...options });
}

/** stdout of a script, without the last line break. */
export async function output(session: SandboxSession, script: string): Promise<string> {
  return (await sh(session, script)).stdout.toString().trimEnd();
}

/** A script that prints how many processes have this name; images need not have tools that look into `/proc`. */
export function counting(name: string): string {
  const read = '{ read -r name < "$file"; } 2>/dev/null';
  return `n=0; for file in /proc/[0-9]*/comm; do ${read} && [ "$name" = ${name} ] && n=$((n+1)); done; echo $n`;
}

export function python(
  session: SandboxSession,
  program: string,
  options: ExecOptions = {},
): Promise<ExecResult> {
  return session.exec(['python3', '-'], { timeoutMs: 20_000, stdin: program, ...options });
}

/** A script of four processes that compute until they are ended. */
export const FOUR_BUSY = 'for i in 1 2 3 4; do while :; do :; done & done; wait';

/**
 * Doubles for ever and never gives up; a shell would stop at its first failed fork. A process whose fork fails for the
 * first time writes a dot.
 */
export const FORK_BOMB = `
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
was_refused = False
while True:
    try: os.fork()
    except BaseException:
        if not was_refused:
            was_refused = True
            os.write(1, b'.')
`;

export async function expectError(
  promise: Promise<unknown>,
  ...codes: SandboxErrorCode[]
): Promise<SandboxError> {
  const error = await promise.then(
    () => new Error('no error'),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(SandboxError);
  if (!(error instanceof SandboxError)) throw error;
  expect(codes).toContain(error.code);
  return error;
}

/** Polls until the sandbox shows it; for effects that have no event of their own. */
export async function eventually(isSo: () => Promise<boolean>, timeoutMs = 5_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it never became so');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export async function buffered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

export async function* replay(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

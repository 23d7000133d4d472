import { execFile } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { SandboxError } from '../sandbox-error.js';
import { findProgram, toolEnvironment } from './config.js';

const run = promisify(execFile);

const VERSION_MS = 10_000;
const OUTPUT_CHARACTERS_MAX = 80;
/** The release of Debian 13, the oldest that the suites of tests pass on. */
const SINCE = 20_240_729;
export const INSTALL_RUNSC =
  'install gVisor 20240729 or newer: apt-get install -y runsc (Debian 13), or https://gvisor.dev/docs/user_guide/install';
/** The field `e_machine` of ELF programs, by the architecture of Node.js. */
const ELF_MACHINES: Readonly<Partial<Record<string, number>>> = { x64: 0x3e, arm64: 0xb7 };
const ELF_MAGIC = '\x7fELF';
const ELF_MACHINE_AT = 18;

/** Its path, of those that `given` (the value of SANDBOX_RUNSC) or the search path name. Throws `unavailable`. */
export function runscProgram(given: string | undefined): string {
  const program = given ?? findProgram('runsc');
  if (program === undefined)
    throw new SandboxError('unavailable', 'gVisor (runsc) is missing', { fix: INSTALL_RUNSC });
  const problem = problemOf(program);
  if (problem === undefined) return program;
  const name = given === undefined ? program : `SANDBOX_RUNSC=${given}`;
  const message = `gVisor cannot be run: ${name} ${problem}`;
  throw new SandboxError('unavailable', message, { fix: fixOf(given) });
}

/** Such as `0.0~20240729.0` or `release-20240729.0`. Throws `unavailable` for programs that are not gVisor. */
export async function runscVersion(program: string): Promise<string> {
  const fix = fixOf(program);
  const { stdout } = await run(program, ['--version'], {
    env: toolEnvironment(),
    timeout: VERSION_MS,
    killSignal: 'SIGKILL',
  }).catch((cause: unknown) => {
    const message = `${program} is not gVisor: \`runsc --version\` would print its version, and it fails`;
    throw new SandboxError('unavailable', message, { cause, fix });
  });
  const version = /^runsc version (\S+)/m.exec(stdout)?.[1];
  if (version !== undefined) return version;
  const [printed = ''] = stdout.trim().slice(0, OUTPUT_CHARACTERS_MAX).split('\n');
  const message = `${program} is not gVisor: --version prints ${JSON.stringify(printed)} in place of "runsc version …"`;
  throw new SandboxError('unavailable', message, { fix });
}

/** Releases are named by their day; one without a day may be newer. */
export function isTooOld(version: string): boolean {
  const day = /\d{8}/.exec(version)?.[0];
  return day !== undefined && Number(day) < SINCE;
}

function fixOf(given: string | undefined): string {
  return given === undefined
    ? INSTALL_RUNSC
    : `set SANDBOX_RUNSC to the path of the program runsc, or unset it; ${INSTALL_RUNSC}`;
}

function problemOf(program: string): string | undefined {
  const stat = statSync(program, { throwIfNoEntry: false });
  if (stat === undefined) return 'does not exist';
  if (stat.isDirectory()) return 'is a directory';
  if (!stat.isFile()) return 'is not a file';
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return 'may not be executed (chmod +x)';
  }
  return isForeign(program)
    ? `is a program for another architecture than that of this machine (${process.arch})`
    : undefined;
}

/** A program that the kernel refuses would be run as a script of a shell. */
function isForeign(program: string): boolean {
  const header = Buffer.alloc(ELF_MACHINE_AT + 2);
  const file = openSync(program, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  const expected = ELF_MACHINES[process.arch];
  if (header.toString('latin1', 0, ELF_MAGIC.length) !== ELF_MAGIC || expected === undefined) return false;
  return header.readUInt16LE(ELF_MACHINE_AT) !== expected;
}

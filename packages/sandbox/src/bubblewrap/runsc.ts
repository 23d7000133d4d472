import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../host/config.js';
import { INSTALL_RUNSC, isTooOld, runscProgram, runscVersion } from '../host/runsc-program.js';
import { SandboxError } from '../sandbox-error.js';

const run = promisify(execFile);

/** How gVisor runs the code of a sandbox: by system call traps, or by tracing, which is slower and works anywhere. */
const PLATFORMS = ['systrap', 'ptrace'] as const;
type Platform = (typeof PLATFORMS)[number];

const TRIAL_MS = 20_000;
/** gVisor on this machine. */
export interface Runsc {
  program: string;
  /** Such as `0.0~20240729.0` or `release-20240729.0`. */
  version: string;
  platform: Platform;
}

/** Flags of every call: nothing of the host's network, and cgroups are the caller's. */
export function runscFlags({ platform }: Pick<Runsc, 'platform'>, stateDirectory: string): string[] {
  return [
    ...['--root', stateDirectory, '--network=none', '--ignore-cgroups', '--overlay2=none'],
    `--platform=${platform}`,
  ];
}

/** Runs `true` on the first platform that can; `given`: the program. Throws `unavailable` with what to do. */
export async function findRunsc(stateDir: string, given?: string): Promise<Runsc> {
  const program = runscProgram(given);
  const version = await runscVersion(program);
  if (isTooOld(version)) {
    const problem = `gVisor (${program}, ${version}) is too old: commands such as \`ls\` fail on it`;
    throw new SandboxError('unavailable', problem, { fix: INSTALL_RUNSC });
  }
  const problems: string[] = [];
  for (const platform of PLATFORMS) {
    const problem = await trialProblem({ program, version, platform }, stateDir);
    if (problem === undefined) return { program, version, platform };
    problems.push(`${platform}: ${problem}`);
  }
  const message = `gVisor (${program}, ${version}) runs nothing here: ${problems.join('; ')}`;
  throw new SandboxError('unavailable', message, { fix: INSTALL_RUNSC });
}

async function trialProblem(runsc: Runsc, stateDir: string): Promise<string | undefined> {
  await mkdir(stateDir, { recursive: true });
  const bundle = await mkdtemp(path.join(stateDir, 'runsc-trial-'));
  try {
    await writeFile(path.join(bundle, 'config.json'), JSON.stringify(TRIAL));
    const flags = runscFlags(runsc, path.join(bundle, 'state'));
    await run(runsc.program, [...flags, 'run', '--bundle', bundle, path.basename(bundle)], {
      env: toolEnvironment(),
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    return undefined;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    return stderr.trim().split('\n').at(-1) || message;
  } finally {
    await rm(bundle, { recursive: true, force: true });
  }
}

const TRIAL = {
  ociVersion: '1.0.2',
  root: { path: '/', readonly: true },
  process: { args: ['/bin/true'], cwd: '/', user: { uid: 65_534, gid: 65_534 } },
  linux: { namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
};

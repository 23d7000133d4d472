import { existsSync } from 'node:fs';
import path from 'node:path';
import { INSTALL_RUNSC, isTooOld, runscVersion } from '../host/runsc-program.js';
import { SandboxError } from '../sandbox-error.js';
import type { DaemonAddress } from './daemon-address.js';
import type { EngineInfo } from './engine-objects.js';

const GVISOR = /runsc|gvisor/i;

/** A runtime of a daemon that is gVisor, by its name. */
export interface GvisorRuntime {
  name: string;
  /** Of its program, where that is on this machine. */
  version?: string | undefined;
  program?: string | undefined;
  /** Changes of a root are in files of the daemon, which measures them; else in a file of gVisor that counts as a gibibyte. */
  hasMeasuredRoot: boolean;
}

/** The runtime of that name, or the first that is gVisor; undefined where there is none. */
export async function gvisorRuntime(
  info: Pick<EngineInfo, 'Runtimes'>,
  { socketPath }: Pick<DaemonAddress, 'socketPath'>,
  wanted?: string,
): Promise<GvisorRuntime | undefined> {
  const known = info.Runtimes ?? {};
  const isGvisor = (each: string) => GVISOR.test(each) || GVISOR.test(path.basename(known[each]?.path ?? ''));
  const name = wanted ?? Object.keys(known).find(isGvisor);
  if (name === undefined || !isGvisor(name)) return undefined;
  const { path: program, runtimeArgs } = known[name] ?? {};
  const hasMeasuredRoot = runtimeArgs?.some((flag) => /^--?overlay2=none$/.test(flag)) === true;
  // Daemons on sockets of this machine run programs of this machine, except for those of a virtual one.
  const isHere = socketPath !== undefined && program !== undefined && path.isAbsolute(program);
  if (!isHere || !existsSync(program)) return { name, hasMeasuredRoot };
  const version = await runscVersion(program).catch(() => undefined);
  return { name, program, version, hasMeasuredRoot };
}

/** Throws `unavailable` for a release on which commands fail. */
export function refuseTooOld(runtime: GvisorRuntime): void {
  if (runtime.version === undefined || !isTooOld(runtime.version)) return;
  const message = `${describeRuntime(runtime)} is too old: commands such as \`ls\` fail on it`;
  throw new SandboxError('unavailable', message, { fix: fixOfRuntime(runtime) });
}

/** The beginning of a sentence. */
export function describeRuntime({
  name,
  program,
  version,
}: Pick<GvisorRuntime, 'name' | 'program' | 'version'>): string {
  const of = [program, version].filter((each) => each !== undefined).join(', ');
  return `the runtime ${name} of the Docker daemon${of === '' ? '' : ` (${of})`}`;
}

export function fixOfRuntime({ name }: Pick<GvisorRuntime, 'name'>): string {
  return `${INSTALL_RUNSC}; register it in daemon.json as the runtime ${name}, and restart the daemon`;
}

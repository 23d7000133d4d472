import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { IsolationLevel, SandboxProvider } from '../contract.js';
import { isolationProblems } from '../isolation-problems.js';
import { isSandboxError, SandboxError, START_FIX } from '../sandbox-error.js';

export interface SelfTest {
  createMs: number;
  execMs: number;
}

const MIB = 1024 * 1024;

/** Opens a real sandbox and looks at it from within. Throws `unavailable`, with what to do, unless it is isolated. */
export async function selfTest(provider: SandboxProvider, level: IsolationLevel): Promise<SelfTest> {
  const startedAt = performance.now();
  const session = await provider
    .create({
      limits: { cpu: 1, memoryBytes: 64 * MIB, pids: 32, workspaceBytes: MIB, wallMs: 30_000 },
      labels: { runId: 'self-test', attemptId: 'self-test' },
    })
    .catch((error: unknown) => {
      throw explained(error);
    });
  try {
    const createdAt = performance.now();
    const kernelOfHost = session.provider === 'gvisor' ? release() : undefined;
    const problems = await isolationProblems(session, { level, kernelOfHost });
    if (problems.length > 0)
      throw new SandboxError('unavailable', `sandboxes are not isolated here: ${problems.join('; ')}`);
    return { createMs: createdAt - startedAt, execMs: performance.now() - createdAt };
  } finally {
    await session.destroy();
  }
}

/** Kernel settings that forbid sandboxes to an ordinary user, each with the way out. */
const KERNEL_SWITCHES = [
  {
    file: 'kernel/apparmor_restrict_unprivileged_userns',
    forbids: '1',
    fix: 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or run as root',
  },
  {
    file: 'kernel/unprivileged_userns_clone',
    forbids: '0',
    fix: 'sysctl -w kernel.unprivileged_userns_clone=1',
  },
  { file: 'user/max_user_namespaces', forbids: '0', fix: 'sysctl -w user.max_user_namespaces=15000' },
];

/** Files that Docker and Podman put into their containers. */
const MARKS_OF_CONTAINERS = ['/.dockerenv', '/run/.containerenv'];
const CONTAINER_FIX =
  'start the container with security_opt seccomp=unconfined, apparmor=unconfined and systempaths=unconfined (docs/self-hosting.md#in-a-container), or run this on the machine itself';
const OTHER_FIX =
  'allow user namespaces; inside a container, run it on the host or with the options of docs/self-hosting.md#in-a-container';

function explained(error: unknown): unknown {
  if (!isSandboxError(error, 'unavailable') || error.fix !== START_FIX) return error;
  const found = KERNEL_SWITCHES.find(({ file, forbids }) => readSwitch(file) === forbids);
  const detail = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const fix =
    found?.fix ?? (MARKS_OF_CONTAINERS.some((file) => existsSync(file)) ? CONTAINER_FIX : OTHER_FIX);
  return new SandboxError('unavailable', `no sandbox can start here${detail}`, { cause: error, fix });
}

function readSwitch(file: string): string | undefined {
  const full = `/proc/sys/${file}`;
  return existsSync(full) ? readFileSync(full, 'utf8').trim() : undefined;
}

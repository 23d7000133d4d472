import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { IsolationLevel, SandboxProvider, SandboxSession } from '../contract.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';

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
    const leaks = await leaksOf(session, level);
    if (leaks.length > 0)
      throw new SandboxError('unavailable', `sandboxes are not isolated here: ${leaks.join('; ')}`);
    return { createMs: createdAt - startedAt, execMs: performance.now() - createdAt };
  } finally {
    await session.destroy();
  }
}

/** `/proc/self/status` of any command. */
const EXPECTED_STATUS: Record<string, string> = {
  CapEff: '0000000000000000',
  CapBnd: '0000000000000000',
  NoNewPrivs: '1',
  Seccomp: '2',
};

async function leaksOf(session: SandboxSession, level: IsolationLevel): Promise<string[]> {
  const { stdout, exitCode } = await session.exec(['cat', '/proc/self/status', '/proc/net/dev'], {
    timeoutMs: 10_000,
  });
  if (exitCode !== 0) return ['a simple command fails'];
  const text = stdout.toString();
  const hasKernel = session.provider === 'gvisor';
  const leaks = Object.entries(EXPECTED_STATUS)
    .filter(([name]) => !(hasKernel && name === 'NoNewPrivs')) // no part of what gVisor shows
    .filter(([name, value]) => !new RegExp(`^${name}:\\s+${value}$`, 'm').test(text))
    .map(([name]) => `unexpected ${name}`);
  const interfaces = [...text.matchAll(/^\s*(\S+): /gm)].map((match) => match[1]);
  if (!interfaces.includes('lo') || interfaces.some((name) => /^(eth|en|wl)/.test(name ?? '')))
    leaks.push('a network');
  if (hasKernel) leaks.push(...(await problemsOfKernel(session)));
  if (level === 'full' && ((await session.stats()).processes ?? 0) < 1)
    leaks.push('commands run outside their limits');
  return leaks;
}

/** Releases of gVisor before 2023 lack what `ls` needs. */
async function problemsOfKernel(session: SandboxSession): Promise<string[]> {
  const { stdout, stderr, exitCode } = await session.exec(['sh', '-c', 'uname -r; ls -d /'], {
    timeoutMs: 10_000,
  });
  const [kernel] = stdout.toString().split('\n');
  if (kernel === release()) return ['the kernel of the host'];
  return exitCode === 0 ? [] : [`commands fail on this release of gVisor (${stderr.toString().trim()})`];
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

function explained(error: unknown): unknown {
  if (!isSandboxError(error, 'unavailable') || error.fix !== undefined) return error;
  const found = KERNEL_SWITCHES.find(({ file, forbids }) => readSwitch(file) === forbids);
  const detail = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const fix =
    found?.fix ??
    'allow user namespaces; inside a container, run it on the host or with a privileged profile';
  return new SandboxError('unavailable', `no sandbox can start here${detail}`, { cause: error, fix });
}

function readSwitch(file: string): string | undefined {
  const full = `/proc/sys/${file}`;
  return existsSync(full) ? readFileSync(full, 'utf8').trim() : undefined;
}

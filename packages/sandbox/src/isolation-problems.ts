import type { IsolationLevel, SandboxSession } from './contract.js';

/** `/proc/self/status` of any command. */
const EXPECTED_STATUS: Record<string, string> = {
  CapEff: '0000000000000000',
  CapBnd: '0000000000000000',
  NoNewPrivs: '1',
  Seccomp: '2',
};
const COMMAND_MS = 10_000;

/** Looks at a sandbox from within, by commands: what is not as it must be, each as the part of a sentence. */
export async function isolationProblems(
  session: SandboxSession,
  options: {
    level: IsolationLevel;
    /** The release of the kernel that it must not have; undefined where it shares that. */
    kernelOfHost: string | undefined;
  },
): Promise<string[]> {
  const { level, kernelOfHost } = options;
  const argv = ['cat', '/proc/self/status', '/proc/net/dev'];
  const { stdout, exitCode } = await session.exec(argv, { timeoutMs: COMMAND_MS });
  if (exitCode !== 0) return ['a simple command fails'];
  const text = stdout.toString();
  const hasKernel = kernelOfHost !== undefined;
  const problems = Object.entries(EXPECTED_STATUS)
    .filter(([name]) => !(hasKernel && name === 'NoNewPrivs')) // no part of what gVisor shows
    .filter(([name, value]) => !new RegExp(`^${name}:\\s+${value}$`, 'm').test(text))
    .map(([name]) => `unexpected ${name}`);
  const interfaces = [...text.matchAll(/^\s*(\S+): /gm)].map((match) => match[1]);
  if (!interfaces.includes('lo') || interfaces.some((name) => /^(eth|en|wl)/.test(name ?? '')))
    problems.push('a network');
  if (hasKernel) problems.push(...(await problemsOfKernel(session, kernelOfHost)));
  if (level === 'full' && ((await session.stats()).processes ?? 0) < 1)
    problems.push('commands run outside their limits');
  return problems;
}

/** Releases of gVisor before 2023 lack what `ls` needs. */
async function problemsOfKernel(session: SandboxSession, kernelOfHost: string): Promise<string[]> {
  const argv = ['sh', '-c', 'uname -r; ls -d /'];
  const { stdout, stderr, exitCode } = await session.exec(argv, { timeoutMs: COMMAND_MS });
  const [kernel] = stdout.toString().split('\n');
  if (kernel === kernelOfHost) return ['the kernel of the host'];
  return exitCode === 0 ? [] : [`commands fail on this release of gVisor (${stderr.toString().trim()})`];
}

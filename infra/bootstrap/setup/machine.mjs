import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT_UNAVAILABLE, SetupFailure } from './failure.mjs';
import { run, step } from './step.mjs';

/** Its program, and the day of the oldest release that the tests pass on. */
const GVISOR = 'runsc';
const GVISOR_SINCE = 20_240_729;

const COMPILER = {
  name: "a C compiler with a static libc, for the sandbox's native part",
  packages: ['gcc', 'libc6-dev'],
  isThere: () => isOnPath('cc') && hasStaticLibc(),
};

/** The tools that the machine itself must have. Debian's names; `isThere` must cost next to nothing. */
const TOOLS = [
  // On these the prebuilt programs of packages/sandbox run sandboxes.
  ...(['x64', 'arm64'].includes(process.arch) ? [] : [COMPILER]),
  {
    name: 'bubblewrap, which isolates every attempt',
    packages: ['bubblewrap'],
    isThere: () => isOnPath('bwrap'),
  },
  {
    name: '/usr/bin/python3, which the example packs run in the sandbox',
    packages: ['python3'],
    isThere: () => existsSync('/usr/bin/python3'),
  },
];

/** The tools that only the tests need. */
export const TEST_TOOLS = [
  COMPILER,
  {
    name: "Chromium, in which the web app's tests run",
    packages: ['chromium'],
    isThere: () => process.env.CHROMIUM !== undefined || isOnPath('chromium') || isOnPath('google-chrome'),
  },
];

/** Without them a few tests are skipped, each with the reason; they are large, so they are offered and not installed. */
const OFFERED_TOOLS = [
  {
    name: 'sandboxes as containers of Docker',
    packages: ['docker.io'],
    isThere: () => isOnPath('dockerd') && isOnPath('containerd'),
  },
  {
    name: 'sandboxes on gVisor, 20240729 or newer as in Debian 13',
    packages: [GVISOR],
    isThere: () => process.env.SANDBOX_RUNSC !== undefined || hasUsableGvisor(),
  },
  {
    name: 'hidden tests in Go',
    packages: ['golang-go'],
    isThere: () => ['/usr/bin/go', '/usr/local/bin/go'].some((file) => existsSync(file)),
  },
  {
    name: 'hidden tests in Rust',
    packages: ['cargo'],
    isThere: () => existsSync('/usr/bin/cargo'),
  },
];

/** A line for each missing one, with the command that installs it. */
export function offeredTools() {
  return OFFERED_TOOLS.filter((tool) => !tool.isThere()).map(
    ({ name, packages }) => `Skipped by the tests: ${name} (apt-get install -y ${packages.join(' ')}).`,
  );
}

/** Installs missing packages as root; for an ordinary user it fails with the exact command to run. */
export async function provideTools(tools = TOOLS) {
  const missing = tools.filter((tool) => !tool.isThere());
  if (missing.length === 0) return;
  const packages = missing.flatMap((tool) => tool.packages);
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) throw missingPackages(missing, packages);
  await step(`Installing ${packages.join(', ')}`, async (announce) => {
    announce();
    await installPackages(packages).catch((error) => {
      throw missingPackages(missing, packages, error.hint);
    });
  });
  const absent = missing.filter((tool) => !tool.isThere());
  if (absent.length > 0) throw missingPackages(absent, packages);
}

async function installPackages(packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  // The package lists are often absent in an image, or too old to name files that still exist.
  await run('apt-get', install, { env }).catch(async () => {
    await run('apt-get', ['update'], { env });
    await run('apt-get', install, { env });
  });
}

function missingPackages(missing, packages, details) {
  const names = missing.map((tool) => `  - ${tool.name}`).join('\n');
  const asRoot = process.getuid?.() === 0 ? '' : 'sudo ';
  const command = `${asRoot}apt-get update && ${asRoot}apt-get install -y ${packages.join(' ')}`;
  const elsewhere = isOnPath('apt-get')
    ? ''
    : '\n(on Debian or Ubuntu; elsewhere, the packages of the same purpose)';
  return new SetupFailure(`This machine lacks\n${names}`, {
    hint: `${details ? `${details}\n\n` : ''}Run this, then try again:\n  ${command}${elsewhere}`,
    exitCode: EXIT_UNAVAILABLE,
  });
}

function isOnPath(program) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** That of Debian 12 is there, and tests are skipped with it. */
function hasUsableGvisor() {
  try {
    const [, day] = /(\d{8})/.exec(execFileSync(GVISOR, ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(day) >= GVISOR_SINCE;
  } catch {
    return false;
  }
}

/** The compiler prints the bare name when it has no such file. */
function hasStaticLibc() {
  try {
    return path.isAbsolute(execFileSync('cc', ['-print-file-name=libc.a'], { encoding: 'utf8' }).trim());
  } catch {
    return false;
  }
}

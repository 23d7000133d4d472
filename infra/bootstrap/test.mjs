// `npm test [-- path ...]`: set-up, then all tests. `pnpm test:nightly [path ...]`: those that take too long for a day.
// The last line is `N passed, N failed, N skipped`. `npm test -- --record` keeps how long the slow files took, for the order
// of later runs (jest-sequencer.mjs).
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { explain } from './setup/failure.mjs';
import { provideTools, TEST_TOOLS } from './setup/machine.mjs';
import { repository } from './setup/repository.mjs';
import { setUp } from './setup.mjs';

/**
 * A number and no percentage: Jest reads one above 100 as a number of workers. Files of int and e2e wait for processes of
 * their own half of the time, so there are more workers than cores.
 */
const WORKERS = String(Math.ceil(availableParallelism() * 1.75));
/** In order of how fast they find a mistake. */
const DAILY = [
  { name: 'unit', flags: ['--maxWorkers=100%'] },
  { name: 'int', flags: [`--maxWorkers=${WORKERS}`] },
  { name: 'e2e', flags: [`--maxWorkers=${WORKERS}`] },
];
/**
 * Benchmarks want the machine to themselves; the suites of sandboxes and programs run whole where AGENTCLASH_NIGHTLY
 * is set.
 */
const NIGHTLY = [
  {
    name: 'int',
    flags: ['--maxWorkers=2'],
    paths: ['packages/sandbox', 'packages/engine/src/programs'],
    env: { AGENTCLASH_NIGHTLY: '1' },
  },
  { name: 'nightly', flags: ['--runInBand'] },
];

const DURATIONS = path.join(import.meta.dirname, 'test-durations.json');
const RECORDED_FROM_SECONDS = 5;

const { positionals, values } = parseArgs({
  options: {
    nightly: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const tally = { passed: 0, failed: 0, skipped: 0 };
/** Seconds by file. */
const durations = {};
try {
  await setUp();
  await provideTools(TEST_TOOLS);
  for (const project of values.nightly ? NIGHTLY : DAILY) add(await runProject(project, positionals));
  if (tally.failed > 0) process.exitCode = 1;
  else if (values.record) record();
} catch (error) {
  process.exitCode = explain(error);
  tally.failed += 1;
}
console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);

function add({ passed, failed, skipped }) {
  tally.passed += passed;
  tally.failed += failed;
  tally.skipped += skipped;
}

async function runProject({ name, flags, paths = [], env = {} }, chosen) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-jest-'));
  const report = path.join(folder, 'report.json');
  const jest = path.join(repository, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', '--no-warnings', jest, ...(chosen.length > 0 ? chosen : paths)];
  // The name comes last: Jest would take whatever follows it for more names.
  args.push(...flags, '--passWithNoTests', '--json', `--outputFile=${report}`, '--selectProjects', name);
  try {
    const child = spawn(process.execPath, args, {
      cwd: repository,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    return count(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded counts as one failed test, and so does a run that ended without a report. */
function count(report, exitCode) {
  let counts;
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  }
  for (const { name, startTime, endTime } of counts.testResults)
    durations[path.relative(repository, name)] = Math.round((endTime - startTime) / 1_000);
  const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites;
  return {
    passed: counts.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: counts.numPendingTests + counts.numTodoTests,
  };
}

function record() {
  const before = JSON.parse(readFileSync(DURATIONS, 'utf8'));
  const all = Object.entries({ ...before, ...durations }).filter(
    ([file, seconds]) => seconds >= RECORDED_FROM_SECONDS && existsSync(path.join(repository, file)),
  );
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(all.sort()), null, 2)}\n`);
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { SetupFailure } from './failure.mjs';

const ANNOUNCE_AFTER_MS = 1_500;
const REPEAT_AFTER_MS = 10_000;
const REMEMBERED_LINES = 60;

/** Runs one step of the set-up. A quick one stays silent; a longer one prints its name and its duration. */
export async function step(title, work) {
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
  let isAnnounced = false;
  const announce = () => {
    if (!isAnnounced) console.log(`→ ${title} …`);
    isAnnounced = true;
  };
  const first = setTimeout(announce, ANNOUNCE_AFTER_MS);
  const repeat = setInterval(() => console.log(`  … ${title} (${elapsed()})`), REPEAT_AFTER_MS);
  try {
    const result = await work(announce);
    if (isAnnounced) console.log(`✓ ${title} (${elapsed()})`);
    return result;
  } finally {
    clearTimeout(first);
    clearInterval(repeat);
  }
}

/** Runs a command quietly and returns its standard output. What it printed is shown only when it fails. */
export async function run(command, args, { env = {}, cwd } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = [];
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      printed.push(line);
      if (printed.length > REMEMBERED_LINES) printed.shift();
    });
  }
  const code = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.code));
    child.once('close', resolve);
  });
  if (code === 0) return stdout;
  throw new SetupFailure(`${[command, ...args].join(' ')} failed (${code})`, { hint: printed.join('\n') });
}

import path from 'node:path';
import { repository } from './repository.mjs';
import { run, step } from './step.mjs';

const QUIET = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };

/** Generates the database clients and compiles every package; what has not changed comes from turbo's cache. */
export async function build(pnpmFolder) {
  const turbo = path.join(repository, 'node_modules/.bin/turbo');
  // Turbo runs each package's script through pnpm, which it looks for on the PATH.
  const env = { ...QUIET, PATH: `${pnpmFolder}${path.delimiter}${process.env.PATH}` };
  await step('Building', () =>
    run(turbo, ['run', 'build', '--output-logs=errors-only'], { cwd: repository, env }),
  );
}

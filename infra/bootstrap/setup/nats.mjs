import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXIT_UNAVAILABLE, SetupFailure } from './failure.mjs';
import { repository } from './repository.mjs';
import { step } from './step.mjs';

/** Finds nats-server or fetches it, the same way the local stack does (which is why this comes after the build). */
export async function provideNatsServer() {
  const embedded = path.join(repository, 'packages/embedded/dist/index.js');
  const { findNatsServer } = await import(pathToFileURL(embedded).href);
  await step('Finding nats-server', () => findNatsServer({ log: () => {} })).catch((error) => {
    throw new SetupFailure(error.message, { hint: error.hint, exitCode: EXIT_UNAVAILABLE });
  });
}

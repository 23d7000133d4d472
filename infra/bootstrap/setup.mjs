// Makes a clean clone ready to run: Node.js, tools of the machine, packages, build. Plain Node.js without
// dependencies, since it runs before anything is installed. When all is there it takes well under a second.
import { pathToFileURL } from 'node:url';
import { build } from './setup/build.mjs';
import { explain } from './setup/failure.mjs';
import { offeredTools, provideTools } from './setup/machine.mjs';
import { provideNatsServer } from './setup/nats.mjs';
import { ensureNode, linkNode } from './setup/node.mjs';
import { providePackages } from './setup/packages.mjs';

export async function setUp() {
  await ensureNode();
  await provideTools();
  const pnpmFolder = await providePackages();
  linkNode();
  await build(pnpmFolder);
  await provideNatsServer();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const startedAt = Date.now();
  try {
    await setUp();
    for (const line of offeredTools()) console.log(line);
    console.log(`Ready (${((Date.now() - startedAt) / 1000).toFixed(1)} s).`);
  } catch (error) {
    process.exitCode = explain(error);
  }
}

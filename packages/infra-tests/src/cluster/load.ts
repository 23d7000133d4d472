import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missingForImages } from '../images/image-builder.js';
import { loadImages } from './service-images.js';

// `node load.ts <command>`: builds the images of the overlay `dev` and gives nodes each by the command.
const [command = ''] = process.argv.slice(2);
const missing = command === '' ? 'usage: load.ts <command that takes an archive>' : missingForImages();
if (missing === undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-services-'));
  try {
    await loadImages(folder, command);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  process.stderr.write(`${missing}\n`);
  process.exitCode = 1;
}

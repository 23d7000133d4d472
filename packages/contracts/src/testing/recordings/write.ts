// `pnpm recordings`: adds the messages that were recorded during tests, in the given folder, to the recordings of a release.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { observedIn } from './observed-messages.js';
import { record } from './recordings.js';

const [folder, release] = process.argv.slice(2);
if (folder === undefined || release === undefined) throw new Error('usage: write.ts <folder> <release>');

const lines = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
const missing = record(release, observedIn(lines));
process.stdout.write(
  missing.length > 0
    ? `never recorded: ${missing.join(', ')}\n`
    : `every message is recorded for ${release}\n`,
);

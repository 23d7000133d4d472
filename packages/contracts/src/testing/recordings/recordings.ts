import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Below it a folder for each release, and in that a file for each message. */
export const RECORDINGS = path.resolve(import.meta.dirname, '../../../recordings');

/** Messages as a release has said them. */
export interface Recording {
  subject: string;
  inputs: unknown[];
  /** Answers, where it is a request. */
  outputs?: unknown[];
}

/** Oldest first. */
export function releases(): string[] {
  const byVersion = new Intl.Collator('en', { numeric: true });
  return readdirSync(RECORDINGS).sort(byVersion.compare);
}

export function recordingsOf(release: string): Recording[] {
  const folder = path.join(RECORDINGS, release);
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Recording);
}

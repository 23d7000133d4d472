import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for the stacks that test files of one worker share (web/testing/shared-stack.ts). */
export default function openStacks() {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-e2e-stacks-'));
  // The user of PostgreSQL passes through.
  chmodSync(folder, 0o755);
  process.env.AGENTCLASH_E2E_STACKS = folder;
}

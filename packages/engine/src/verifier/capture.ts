import { createHash } from 'node:crypto';
import { CAPTURE_BYTES_PER_ATTEMPT, type PostExecutionCheck } from '@agentclash/challengepack';
import type { AttemptEvents } from '../events/attempt-events.js';
import { ToolError } from '../outcome/tool-error.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';

export interface CaptureContext {
  sandbox: AttemptSandbox;
  events: AttemptEvents;
  /** Directories that may be looked into. */
  roots: readonly string[];
}

/** Records the files and directories that the pack captures. */
export async function captureAll(
  checks: readonly PostExecutionCheck[],
  context: CaptureContext,
): Promise<void> {
  let bytesLeft = CAPTURE_BYTES_PER_ATTEMPT;
  for (const check of checks) {
    if (check.type === 'directory_listing') await captureListing(check, context);
    else bytesLeft -= await captureFile(check, bytesLeft, context);
  }
}

/** Resolves to the number of stored bytes. */
async function captureFile(
  { key, path, max_size_bytes }: PostExecutionCheck,
  bytesLeft: number,
  { sandbox, events, roots }: CaptureContext,
): Promise<number> {
  const length = Math.min(max_size_bytes, bytesLeft);
  const file = await presentOrAbsent(sandbox.readFile(path, { roots, length }));
  if (!file) {
    const absent = { exists: false, bytes: 0, truncated: false, content: null, sha256: null };
    events.record('grader.verification.file_captured', { key, path, ...absent });
    return 0;
  }
  events.record('grader.verification.file_captured', {
    key,
    path,
    exists: true,
    bytes: file.bytes,
    truncated: file.bytes > file.data.length,
    content: file.data.toString(),
    sha256: createHash('sha256').update(file.data).digest('hex'),
  });
  return file.data.length;
}

async function captureListing(
  { key, path, recursive }: PostExecutionCheck,
  { sandbox, events, roots }: CaptureContext,
): Promise<void> {
  const stat = await presentOrAbsent(sandbox.stat(path, { roots }));
  const listing =
    stat?.kind === 'directory' ? await presentOrAbsent(sandbox.list(path, { roots, recursive })) : undefined;
  events.record('grader.verification.directory_listed', {
    key,
    path,
    exists: listing !== undefined,
    entries: (listing?.entries ?? []).map((entry) => ({
      path: entry.path,
      size: entry.bytes,
      is_dir: entry.kind === 'directory',
    })),
  });
}

/** A path that is no reachable file or directory of the workspace does not exist for the grader. */
async function presentOrAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

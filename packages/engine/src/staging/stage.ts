import path from 'node:path';
import type { PlannedFile } from '@agentclash/attempt-plan';
import type { FileWritten } from '@agentclash/sandbox';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { type ArtifactReader, readArtifact } from './artifacts.js';

export interface StageOptions {
  artifacts: ArtifactReader;
  /** The base of relative paths. */
  directory: string;
  /** Directories in which files may be put. */
  roots: readonly string[];
  /** Permission bits; default 0o644. */
  mode?: number;
  signal: AbortSignal;
}

/** Writes files into a sandbox; of several at one path the last. Throws AttemptEnded when one cannot be written. */
export async function stageFiles(
  sandbox: Pick<AttemptSandbox, 'writeFile'>,
  files: readonly PlannedFile[],
  options: StageOptions,
): Promise<FileWritten[]> {
  const written: FileWritten[] = [];
  for (const file of lastOfEachPath(files, options.directory)) {
    options.signal.throwIfAborted();
    written.push(await stageFile(sandbox, file, options));
  }
  return written;
}

/** The files of the workspace, as the task lists them. */
export function stagedListing(
  files: readonly PlannedFile[],
  directory: string,
): { path: string; bytes: number }[] {
  return lastOfEachPath(files, directory).map((file) => ({
    path: file.path,
    bytes: 'artifact' in file ? file.artifact.bytes : Buffer.byteLength(file.content),
  }));
}

function lastOfEachPath(files: readonly PlannedFile[], directory: string): PlannedFile[] {
  const byPath = new Map<string, PlannedFile>();
  for (const file of files) byPath.set(path.posix.resolve(directory, file.path), file);
  return [...byPath.values()];
}

async function stageFile(
  sandbox: Pick<AttemptSandbox, 'writeFile'>,
  file: PlannedFile,
  { artifacts, directory, roots, mode, signal }: StageOptions,
): Promise<FileWritten> {
  const data = 'artifact' in file ? await readArtifact(file.artifact, artifacts, signal) : file.content;
  try {
    return await sandbox.writeFile(file.path, data, {
      cwd: directory,
      roots,
      ...(mode !== undefined && { mode }),
    });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const message = `a file of the case cannot be staged: ${error.code}`;
    throw Object.assign(new AttemptEnded({ because: 'infra', code: 'staging_failed', message }), {
      cause: error,
    });
  }
}

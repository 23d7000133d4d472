import { plannedFilesystem } from '@agentclash/attempt-plan';
import { SandboxError, type SandboxSession } from '@agentclash/sandbox';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { AttemptHarness } from '../attempt-harness.js';

interface FileEntry {
  type: 'file' | 'dir' | 'link' | 'device';
  target?: string;
}
interface PathVector {
  id: string;
  tool: 'read_file' | 'write_file' | 'list_files' | 'output_path' | 'exec_cwd';
  path: string;
  cwd?: string;
  readable_roots?: string[];
  writable_roots?: string[];
  fs?: Record<string, FileEntry>;
  expect: { path?: string; error?: string };
}

let harness: Promise<AttemptHarness> | undefined;

async function openHarness(): Promise<AttemptHarness> {
  const opened = new AttemptHarness();
  await opened.open();
  return opened;
}

/** The files of a vector, as a script; outside of the roots only the machine's own files exist. */
function scriptOf(fs: Record<string, FileEntry>, roots: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const isInside = (path: string) => roots.some((root) => path.startsWith(`${root}/`));
  return Object.entries(fs)
    .filter(([path]) => isInside(path))
    .map(([path, { type, target = '' }]) => {
      const commands: Record<FileEntry['type'], string> = {
        dir: `mkdir -p ${quote(path)}`,
        file: `mkdir -p "$(dirname ${quote(path)})"; printf x > ${quote(path)}`,
        link: `ln -s ${quote(target)} ${quote(path)}`,
        device: `mkfifo ${quote(path)}`,
      };
      return commands[type];
    })
    .join('\n');
}

interface Roots {
  read: string[];
  write: string[];
}

async function use(session: SandboxSession, { tool, path }: PathVector, roots: Roots): Promise<string> {
  if (tool === 'read_file') return (await session.readFile(path, { roots: roots.read })).path;
  if (tool === 'list_files') return (await session.list(path, { roots: roots.read })).path;
  if (tool === 'exec_cwd') {
    const { stdout } = await session.exec(['pwd', '-P'], { cwd: path, roots: roots.read });
    return stdout.toString().trimEnd();
  }
  return (await session.writeFile(path, 'data', { roots: roots.write })).path;
}

/** Real sandboxes of one provider, opened by the first vector. */
export const driver: VectorDriver<PathVector> = {
  async run(vector) {
    harness ??= openHarness();
    const filesystem = plannedFilesystem({
      ...(vector.cwd !== undefined && { working_directory: vector.cwd }),
      ...(vector.readable_roots && { readable_roots: vector.readable_roots }),
      ...(vector.writable_roots && { writable_roots: vector.writable_roots }),
    });
    const roots = { read: filesystem.readable_roots, write: filesystem.writable_roots };
    const all = [...new Set([filesystem.working_directory, ...roots.read, ...roots.write])];
    const { sandboxes } = await harness;
    const session = await sandboxes.create({
      limits: { cpu: 1, memoryBytes: 256 << 20, pids: 64, workspaceBytes: 16 << 20 },
      filesystem: { workingDirectory: filesystem.working_directory, readableRoots: all, writableRoots: all },
      labels: { runId: 'run', attemptId: vector.id },
    });
    try {
      const made = await session.exec(['sh', '-e'], { stdin: scriptOf(vector.fs ?? {}, all) });
      expect(made.stderr.toString()).toBe('');
      expect(await outcomeOfUse(session, vector, roots)).toEqual(vector.expect);
    } finally {
      await session.destroy();
    }
  },
  async close() {
    await (await harness)?.close();
    harness = undefined;
  },
};

async function outcomeOfUse(session: SandboxSession, vector: PathVector, roots: Roots) {
  try {
    return { path: await use(session, vector, roots) };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    return { error: error.code };
  }
}

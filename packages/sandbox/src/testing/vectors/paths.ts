import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { createBubblewrapProvider } from '../../bubblewrap/provider.js';
import type { SandboxProvider, SandboxSession } from '../../contract.js';
import { isSandboxError } from '../../sandbox-error.js';

interface PathVector {
  id: string;
  tool: 'read_file' | 'write_file' | 'list_files' | 'output_path' | 'exec_cwd';
  path: string;
  cwd?: string;
  readable_roots?: string[];
  writable_roots?: string[];
  fs?: Record<string, { type: 'file' | 'dir' | 'link' | 'device'; target?: string }>;
  expect: { path?: string; error?: string };
}

interface Machine {
  provider: SandboxProvider;
  stateDir: string;
}

let machine: Promise<Machine> | undefined;

async function openMachine(): Promise<Machine> {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'agentclash-paths-'));
  chmodSync(stateDir, 0o755);
  const provider = await createBubblewrapProvider({ stateDir, cgroupName: path.basename(stateDir) });
  return { provider, stateDir };
}

/** The roots are those of the sandbox itself; its provider is opened by the first vector. */
export const driver: VectorDriver<PathVector> = {
  async run(vector) {
    machine ??= openMachine();
    const { provider } = await machine;
    const session = await provider.create({
      labels: { runId: 'vectors', attemptId: vector.id },
      limits: { cpu: 1, memoryBytes: 128 << 20, pids: 64, workspaceBytes: 32 << 20 },
      filesystem: {
        workingDirectory: vector.cwd ?? '/workspace',
        readableRoots: vector.readable_roots ?? ['/workspace'],
        writableRoots: vector.writable_roots ?? ['/workspace'],
        stagedRoots: ['/workspace', '/data'],
      },
    });
    try {
      await populate(session, vector.fs ?? {});
      const outcome = await TOOLS[vector.tool](session, vector.path).then(
        (found) => ({ path: found }),
        (error) => ({ error: isSandboxError(error) ? error.code : String(error) }),
      );
      expect(outcome).toEqual(vector.expect);
    } finally {
      await session.destroy();
    }
  },
  async close() {
    if (machine === undefined) return;
    const { provider, stateDir } = await machine;
    machine = undefined;
    await provider.close();
    rmSync(stateDir, { recursive: true, force: true });
  },
};

const TOOLS: Record<PathVector['tool'], (session: SandboxSession, path: string) => Promise<string>> = {
  read_file: async (session, file) => (await session.readFile(file)).path,
  write_file: async (session, file) => (await session.writeFile(file, 'x')).path,
  output_path: async (session, file) => (await session.writeFile(file, 'x')).path,
  list_files: async (session, folder) => (await session.list(folder)).path,
  exec_cwd: async (session, folder) =>
    (await session.exec(['pwd'], { cwd: folder })).stdout.toString().trimEnd(),
};

/** A named pipe replaces a device, which no sandbox can make. Files of the image exist already. */
async function populate(session: SandboxSession, fs: NonNullable<PathVector['fs']>): Promise<void> {
  const commands = Object.entries(fs)
    .filter(([file]) => !file.startsWith('/etc'))
    .map(([file, { type, target }]) => {
      const quoted = `'${file}'`;
      const make = {
        file: `: > ${quoted}`,
        dir: `mkdir -p ${quoted}`,
        device: `mkfifo ${quoted}`,
        link: `ln -s '${target}' ${quoted}`,
      };
      return `mkdir -p "$(dirname ${quoted})" && ${make[type]}`;
    });
  const made = await session.exec(['sh', '-e'], { stdin: commands.join('\n') });
  expect(made).toMatchObject({ exitCode: 0 });
}

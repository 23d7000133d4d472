import { vectorSuite } from '@agentclash/testkit';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Bench, sh } from '../conformance/bench.js';
import type { SandboxSession } from '../contract.js';
import { isSandboxError } from '../sandbox-error.js';
import { TestProvider } from './test-provider.js';

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

const machine = new TestProvider();
let bench: Bench;

beforeAll(async () => {
  bench = new Bench(await machine.open());
}, 60_000);
afterAll(async () => {
  await bench.provider.close();
  await machine.expectNothingLeft();
});

vectorSuite<PathVector>('execution-paths.yaml', async (vector) => {
  const cwd = vector.cwd ?? '/workspace';
  const session = await bench.open({
    filesystem: {
      workingDirectory: cwd,
      readableRoots: vector.readable_roots ?? ['/workspace'],
      writableRoots: vector.writable_roots ?? ['/workspace'],
      stagedRoots: ['/workspace', '/data'],
    },
  });
  try {
    await populate(session, vector.fs ?? {});
    const answer = await TOOLS[vector.tool](session, vector.path).then(
      (path) => ({ path }),
      (error) => ({ error: isSandboxError(error) ? error.code : String(error) }),
    );
    expect(answer).toEqual(vector.expect);
  } finally {
    await session.destroy();
  }
});

const TOOLS: Record<PathVector['tool'], (session: SandboxSession, path: string) => Promise<string>> = {
  read_file: async (session, path) => (await session.readFile(path)).path,
  write_file: async (session, path) => (await session.writeFile(path, 'x')).path,
  output_path: async (session, path) => (await session.writeFile(path, 'x')).path,
  list_files: async (session, path) => (await session.list(path)).path,
  exec_cwd: async (session, path) => (await session.exec(['pwd'], { cwd: path })).stdout.toString().trimEnd(),
};

/** A named pipe stands for a device, which no sandbox can make. What lies in the image is there already. */
async function populate(session: SandboxSession, fs: NonNullable<PathVector['fs']>): Promise<void> {
  const commands = Object.entries(fs)
    .filter(([path]) => !path.startsWith('/etc'))
    .map(([path, { type, target }]) => {
      const quoted = `'${path}'`;
      const make = {
        file: `: > ${quoted}`,
        dir: `mkdir -p ${quoted}`,
        device: `mkfifo ${quoted}`,
        link: `ln -s '${target}' ${quoted}`,
      };
      return `mkdir -p "$(dirname ${quoted})" && ${make[type]}`;
    });
  expect(await sh(session, `set -e\n${commands.join('\n')}`)).toMatchObject({ exitCode: 0 });
}

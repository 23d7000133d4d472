import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@jest/globals';
import { liveProcesses } from '../bubblewrap/live-processes.js';
import type { BubblewrapOptions } from '../bubblewrap/options.js';
import { type BubblewrapProvider, createBubblewrapProvider } from '../bubblewrap/provider.js';
import type { ToolOptions } from '../host/native-tools.js';

/** The programs that every suite of bubblewrap runs with: those of a user's machine, and those built from the sources. */
export const TOOL_VARIANTS: readonly [name: string, tools: ToolOptions][] = [
  ['the default tools', {}],
  ['compiled tools', { origin: 'compiled' }],
];

/** A provider with state and cgroups of its own, and the proof that nothing of it stays on the machine. */
export class TestProvider {
  readonly stateDir: string;
  readonly cgroupName: string;
  #provider: BubblewrapProvider | undefined;

  constructor(parent = tmpdir()) {
    this.stateDir = mkdtempSync(path.join(parent, 'agentclash-sandbox-'));
    chmodSync(this.stateDir, 0o755);
    this.cgroupName = path.basename(this.stateDir);
  }

  async open(options: BubblewrapOptions = {}): Promise<BubblewrapProvider> {
    this.#provider = await createBubblewrapProvider({
      stateDir: this.stateDir,
      cgroupName: this.cgroupName,
      ...options,
    });
    return this.#provider;
  }

  async close(): Promise<void> {
    await this.#provider?.close();
  }

  /** Ids of sandboxes that have a record. */
  records(): string[] {
    return readdirSync(path.join(this.stateDir, 'live'));
  }

  cgroups(): string[] {
    return this.#cgroupParents().flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.join(parent, entry.name)),
    );
  }

  /** Host pids under this uid, or running this provider's inner tool. */
  processes(): number[] {
    const tool = '/.agentclash/inside';
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter(
        (pid) =>
          argvOf(pid).includes(this.stateDir) || (argvOf(pid).includes(tool) && isChildOf(pid, process.pid)),
      )
      .map(Number);
  }

  async expectNothingLeft(): Promise<void> {
    expect(this.records()).toEqual([]);
    expect(this.cgroups()).toEqual([]);
    expect(this.processes()).toEqual([]);
    expect(await liveProcesses(this.stateDir)).toEqual([]);
    expect(this.#mounts()).toEqual([]);
    expect(readdirSync(path.join(this.stateDir, 'disk'))).toEqual([]);
    expect(readdirSync(path.join(this.stateDir, 'sockets'))).toEqual([]);
    const kept = readdirSync(this.stateDir).filter(
      (name) =>
        !/^(etc-[0-9a-f]+|seccomp-[0-9a-f]+\.bpf|disk|terminals|sockets|layers|live|processes|root|bundle)$/.test(
          name,
        ),
    );
    expect(kept).toEqual([]);
    expect(this.#cgroupParents()).toEqual([]);
    rmSync(this.stateDir, { recursive: true });
  }

  /** Below the state folder; that itself may be a disk of its own. */
  #mounts(): string[] {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.filter((line) => line.includes(`${this.stateDir}/`));
  }

  #cgroupParents(): string[] {
    const parents = Object.values(this.#provider?.host.layout?.parents ?? {});
    return [...new Set(parents)].filter((parent) => existsSync(parent));
  }
}

function argvOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function isChildOf(pid: string, ancestor: number): boolean {
  for (let current = Number(pid); current > 1; ) {
    if (current === ancestor) return true;
    try {
      const text = readFileSync(`/proc/${current}/stat`, 'utf8');
      current = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      return false;
    }
  }
  return false;
}

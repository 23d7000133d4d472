import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxLabels } from '../spec.js';

/** Host uids for sandboxes, far from any that a system assigns. */
const FIRST_UID = 2_000_000_000;
const UIDS = 65_536;
/** Those of images, which have a range for all users of a sandbox. */
export const FIRST_RANGE = 2 ** 31;
const RANGE = 65_536;
const RANGES = 32_767;
const UNREADABLE_AFTER_MS = 60_000;

/** One live sandbox, on disk for the reaper of a later process. Its file also claims the uid. */
export interface LiveRecord {
  id: string;
  /** Host uid; undefined when sandboxes run as their owner. */
  uid?: number;
  owner: ProcessIdentity;
  labels: SandboxLabels;
}

export class LiveRecords {
  readonly #next = { one: Math.floor(Math.random() * UIDS), range: Math.floor(Math.random() * RANGES) };
  readonly #self = identityOf(process.pid);
  /** Since when, by the monotonic clock, records could not be read. */
  readonly #unreadableSince = new Map<string, number>();

  private constructor(private readonly directory: string) {}

  static async open(stateDir: string): Promise<LiveRecords> {
    const directory = path.join(stateDir, 'live');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new LiveRecords(directory);
  }

  /**
   * Writes the record; with `uids` under a uid that no other live sandbox of this machine has, or under the first of a
   * range.
   */
  claim(id: string, labels: SandboxLabels, uids: 'none' | 'one' | 'range'): LiveRecord {
    const owner = this.#self ?? { pid: process.pid, startTicks: '' };
    if (uids === 'none') {
      const record = { id, owner, labels };
      if (tryWrite(this.#file(record), JSON.stringify(record))) return record;
      throw new SandboxError('unavailable', 'the sandbox exists already');
    }
    const count = uids === 'one' ? UIDS : RANGES;
    for (let attempt = 0; attempt < count; attempt++) {
      this.#next[uids] = (this.#next[uids] + 1) % count;
      const uid = uids === 'one' ? FIRST_UID + this.#next.one : FIRST_RANGE + this.#next.range * RANGE;
      const record = { id, uid, owner, labels };
      if (tryWrite(this.#file(record), JSON.stringify(record))) return record;
    }
    throw new SandboxError('unavailable', 'all sandbox uids are in use');
  }

  release(record: LiveRecord): void {
    rmSync(this.#file(record), { force: true });
  }

  /** Records whose owner is gone. */
  async orphans(): Promise<LiveRecord[]> {
    const orphans: LiveRecord[] = [];
    const names = await readdir(this.directory);
    for (const name of this.#unreadableSince.keys()) {
      if (!names.includes(name)) this.#unreadableSince.delete(name);
    }
    for (const name of names) {
      const record = await this.#read(name);
      if (record && !isAlive(record.owner)) orphans.push(record);
    }
    return orphans;
  }

  async #read(name: string): Promise<LiveRecord | undefined> {
    const file = path.join(this.directory, name);
    try {
      const record = JSON.parse(await readFile(file, 'utf8')) as LiveRecord;
      this.#unreadableSince.delete(name);
      return record;
    } catch {
      // Being written, just released, or cut short by a crash; only the last stays that way.
      const since = this.#unreadableSince.get(name) ?? performance.now();
      this.#unreadableSince.set(name, since);
      if (performance.now() - since > UNREADABLE_AFTER_MS) rmSync(file, { force: true });
      return undefined;
    }
  }

  #file(record: Pick<LiveRecord, 'id' | 'uid'>): string {
    return path.join(this.directory, `${record.uid ?? record.id}.json`);
  }
}

function tryWrite(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Made, but not written: the disk is full.
    rmSync(file, { force: true });
    throw error;
  }
}

/** A pid alone comes back; with its start time it does not. */
export interface ProcessIdentity {
  pid: number;
  startTicks: string;
}

export function isAlive(process: ProcessIdentity): boolean {
  return identityOf(process.pid)?.startTicks === process.startTicks;
}

export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields are counted after the name, which may hold spaces and parentheses; the start time is the 20th of them.
    const startTicks = text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
    return startTicks === undefined ? undefined : { pid, startTicks };
  } catch {
    return undefined;
  }
}

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** JetStream reserves what its streams may grow to: the disk must look as if it had that much. */
const ROOMY = '8g';
/** Enough for the files of nats-server's start, and nothing for messages. */
const FULL = '64k';

/** A disk in memory that can be filled at a stroke: its size is what it holds. Mounting one needs the right to. */
export class SmallDisk {
  private isMounted = false;

  constructor(private readonly folder: string) {}

  static isPossible(): boolean {
    return process.platform === 'linux' && process.getuid?.() === 0;
  }

  mount(): void {
    mkdirSync(this.folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOMY}`, 'agentclash-chaos', this.folder]);
    this.isMounted = true;
  }

  /** No byte more fits. */
  fill(): void {
    const used = execFileSync('du', ['--summarize', '--block-size=1K', this.folder], { encoding: 'utf8' });
    const kib = Number.parseInt(used, 10);
    try {
      this.resize(`${kib}k`);
    } catch {
      this.resize(FULL);
    }
  }

  empty(): void {
    this.resize(ROOMY);
  }

  /** Works while files are open there, too. */
  unmount(): void {
    if (this.isMounted) execFileSync('umount', ['--lazy', this.folder]);
    this.isMounted = false;
  }

  private resize(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.folder], { stdio: 'pipe' });
  }
}

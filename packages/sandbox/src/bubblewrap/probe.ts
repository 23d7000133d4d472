import { isSandboxError } from '../sandbox-error.js';
import type { Shortfall } from './host.js';
import type { BubblewrapOptions, IsolationLevel } from './options.js';
import { createBubblewrapProvider } from './provider.js';

/** What this machine can do about sandboxes, for `doctor` and the like. Figures in milliseconds. */
export interface SandboxProbe {
  provider: 'bubblewrap';
  /** `none`: no sandbox can run here. */
  level: IsolationLevel | 'none';
  /** What is missing or weaker than it could be, each with what to do. */
  problems: Shortfall[];
  bwrapVersion?: string;
  createMs?: number;
  execMs?: number;
}

/** Really opens a sandbox and closes all again. Never throws. */
export async function probeSandbox(options: BubblewrapOptions = {}): Promise<SandboxProbe> {
  try {
    const provider = await createBubblewrapProvider(options);
    await provider.close();
    const { level, shortfalls, bwrapVersion } = provider.host;
    return { provider: 'bubblewrap', level, problems: shortfalls, bwrapVersion, ...provider.selfTest };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const fix = (isSandboxError(error) ? error.fix : undefined) ?? 'see the log of the service';
    return { provider: 'bubblewrap', level: 'none', problems: [{ problem, fix }] };
  }
}

import type { AuditAgent } from '../agents/agent.js';
import type { Change } from '../mutations/change.js';

/** The player of a trial. `agent` is one that is planned already. */
export type Role =
  | { kind: 'idle' | 'echo' | 'blank' | 'oracle' | 'short_reply' }
  | { kind: 'cheat'; key: string }
  /** The solution with one small defect. */
  | { kind: 'mutant'; change: Change }
  | { kind: 'agent'; agent: AuditAgent };

import type { PlantedValue } from '@agentclash/grading';
import {
  type HiddenReason,
  PlantedScan,
  type ScanLimits,
  type WorkspaceFile,
  WorkspaceTooLarge,
} from './planted-scan.js';
import { TarError } from './tar-entries.js';

/** One step of the search of one snapshot. */
export type SearchTask =
  | { step: 'open'; values: readonly PlantedValue[]; limits: ScanLimits }
  | { step: 'push'; chunk: Uint8Array }
  | { step: 'end' };

/** `hidden` (beyond the limits) and `unsearched` (damaged): why the search ended early; `files` comes at the end. */
export type SearchReply = { hidden?: HiddenReason; unsearched?: string; files?: WorkspaceFile[] };

/** Runs the steps, in the thread of the search. */
export class WorkspaceScans {
  private scan: PlantedScan | undefined;

  run(task: SearchTask): SearchReply {
    try {
      if (task.step === 'open') this.scan = new PlantedScan(task.values, task.limits);
      if (task.step === 'push') this.scan?.push(task.chunk);
      return task.step === 'end' ? { files: this.scan?.end() ?? [] } : {};
    } catch (error) {
      if (error instanceof WorkspaceTooLarge) return { hidden: error.reason };
      if (error instanceof TarError) return { unsearched: error.message };
      throw error;
    }
  }
}

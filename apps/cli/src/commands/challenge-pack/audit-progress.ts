import { LiveArea } from '../../terminal/live-area.js';
import type { Output } from '../../terminal/output.js';

type AuditProgress = import('@agentclash/pack-audit').AuditProgress;

/** The checks, in words. */
const LABELS: Readonly<Record<AuditProgress['check'], string>> = {
  static: 'document',
  oracle: 'solutions',
  idle: 'idle agent',
  echo: 'echo of the task',
  blank: 'empty files',
  cheats: 'cheats',
  strength: 'mutants',
};
const EVERY_MS = 100;

/** One line on a terminal that is written over; a line for each check elsewhere, and nothing with `--quiet`. */
export function showAuditProgress(out: Output): { at: (progress: AuditProgress) => void; end: () => void } {
  if (out.modes.quiet) return { at: () => {}, end: () => {} };
  return out.stderr.isTTY ? liveProgress(out) : lines(out);
}

function liveProgress({ stderr }: Output): ReturnType<typeof showAuditProgress> {
  const area = new LiveArea(stderr);
  let nextAt = 0;
  return {
    at(progress) {
      if (Date.now() < nextAt && progress.done > 0) return;
      nextAt = Date.now() + EVERY_MS;
      area.draw([textOf(progress)]);
    },
    end() {
      area.draw([]);
      area.close();
    },
  };
}

function lines(out: Output): ReturnType<typeof showAuditProgress> {
  return {
    at(progress) {
      if (progress.done === progress.total && progress.total > 0) out.note(textOf(progress));
    },
    end: () => {},
  };
}

function textOf({ check, done, total }: AuditProgress): string {
  return `${LABELS[check].padEnd(17)} ${done} of ${total} trials`;
}

import { plural } from '../../terminal/figures.js';
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

/** Shows how far an audit is. */
interface AuditView {
  at(progress: AuditProgress): void;
  /** Before the first check. */
  wait(reason: string): void;
  end(): void;
}

/** One line on a terminal that is written over; a line for each check elsewhere, and nothing with `--quiet`. */
export function showAuditProgress(out: Output): AuditView {
  if (out.modes.quiet) return { at: () => {}, wait: () => {}, end: () => {} };
  return out.stderr.isTTY ? liveProgress(out) : lines(out);
}

function liveProgress({ stderr }: Output): AuditView {
  const area = new LiveArea(stderr);
  let nextAt = 0;
  return {
    at(progress) {
      if (Date.now() < nextAt && progress.done > 0) return;
      nextAt = Date.now() + EVERY_MS;
      area.draw([`${LABELS[progress.check].padEnd(17)} ${progress.done} of ${progress.total} trials`]);
    },
    wait(reason) {
      area.draw([`the audit ${reason}`]);
    },
    end() {
      area.draw([]);
      area.close();
    },
  };
}

/** A log shows what is at work: each check when it begins. */
function lines(out: Output): AuditView {
  let shown = '';
  const show = (key: string, text: string) => {
    if (key !== shown) out.note(text);
    shown = key;
  };
  return {
    at({ check, total }) {
      if (total > 0) show(check, `${LABELS[check].padEnd(17)} ${plural(total, 'trial')}`);
    },
    wait: (reason) => show(reason, `the audit ${reason}`),
    end: () => {},
  };
}

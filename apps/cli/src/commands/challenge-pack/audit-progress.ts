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
const LABEL_WIDTH = 17;
const EVERY_MS = 100;
/** Of a log: a line each time that something has ended, and of the same state. */
const LINE_EVERY_MS = 5_000;
const SAME_LINE_EVERY_MS = 30_000;

/** Shows how far an audit is. */
interface AuditView {
  at(progress: AuditProgress): void;
  /** Before the first check. */
  wait(reason: string): void;
  end(): void;
}

/** One line on a terminal that is written over; a line for each check and every few seconds elsewhere, and nothing with `--quiet`. */
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
      area.draw([countOf(progress)]);
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

/** A log shows what is at work: each check when it begins, and how far it is every few seconds. */
function lines(out: Output): AuditView {
  let shown = '';
  let latest: AuditProgress | undefined;
  let silentMs = 0;
  const show = (key: string, text: string) => {
    if (key !== shown) out.note(text);
    shown = key;
  };
  const timer = setInterval(() => {
    silentMs += LINE_EVERY_MS;
    if (latest === undefined || latest.total === 0) return;
    const text = countOf(latest);
    if (text === shown && silentMs < SAME_LINE_EVERY_MS) return;
    silentMs = 0;
    shown = text;
    out.note(text);
  }, LINE_EVERY_MS);
  return {
    at(progress) {
      const { check, total } = progress;
      if (total > 0 && check !== latest?.check) {
        silentMs = 0;
        show(check, `${LABELS[check].padEnd(LABEL_WIDTH)} ${plural(total, 'trial')}`);
      }
      latest = progress;
    },
    wait: (reason) => show(reason, `the audit ${reason}`),
    end: () => clearInterval(timer),
  };
}

/** `cheats            34 of 120 trials` */
function countOf({ check, done, total }: AuditProgress): string {
  return `${LABELS[check].padEnd(LABEL_WIDTH)} ${done} of ${plural(total, 'trial')}`;
}

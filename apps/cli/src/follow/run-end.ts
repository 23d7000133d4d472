import {
  type Attempt,
  type AuditCertificate,
  packErrorLines,
  type Run,
  type RunAgent,
} from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { lacksEvidence, type Ranking } from '../lookup/ranking.js';
import { rankingContext, spendingsOf } from '../scorecard/ranking-context.js';
import { rankingTable } from '../scorecard/ranking-table.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';

interface EndedRun {
  run: Run;
  ranking: Ranking;
  agents: readonly RunAgent[];
  diverged: readonly Attempt[];
  /** Of the pack version; null without one. */
  audit: AuditCertificate | null;
  /** Commands that show more. */
  hints: readonly string[];
  /** The command that lists the attempts. */
  attempts: string;
  /** Warnings that are not repeated. */
  shown: Run['warnings'];
}

/** Shows the ranking of a run that has ended, and what is to be known about it; the exit code of its result. */
export function showEnd({ out }: Session, ended: EndedRun): ExitCode {
  const { run, ranking, agents, diverged, audit, hints, attempts, shown } = ended;
  const context = rankingContext(run, { agents, diverged, audit, look: out });
  const spendings = spendingsOf(agents);
  out.line(
    `\n${rankingTable(ranking.items, { look: out, ...context, spendings, variants: ranking.variants })}\n`,
  );
  const known = new Set(shown.map(warningLine));
  for (const line of run.warnings.map(warningLine)) if (!known.has(line)) out.warn(line);
  for (const hint of hints) out.note(out.paint.dim(hint));
  if (run.status !== 'completed') out.warn(statusLine(run));
  // A pack that cannot be graded is the news, so it comes last.
  const broken = packErrorLines(run);
  for (const line of broken) out.warn(oneLine(line));
  if (run.status === 'completed' && broken.length === 0) {
    const names = ranking.items.filter(lacksEvidence).map(({ name }) => oneLine(name));
    if (names.length === 0) return EXIT_CODES.ok;
    out.warn(`Too few graded attempts for a verdict: ${names.join(', ')}. ${attempts}`);
    return EXIT_CODES.insufficient_evidence;
  }
  if (run.status === 'completed') return EXIT_CODES.failed;
  return run.status === 'failed' || run.status === 'cancelled' ? EXIT_CODES.failed : EXIT_CODES.try_again;
}

export function warningLine({ code, message }: Run['warnings'][number]): string {
  return `${code}: ${oneLine(message)}`;
}

const ENDS: Partial<Record<Run['status'], string>> = {
  failed: 'The run failed',
  cancelled: 'The run was cancelled',
  scoring: 'The run is being scored',
};

/** The status of a run that has not completed, with the reason where it has one. */
export function statusLine({ status, failure }: Pick<Run, 'status' | 'failure'>): string {
  return oneLine(`${ENDS[status] ?? `The run is ${status}`}${failure ? `: ${failure.message}` : ''}`);
}

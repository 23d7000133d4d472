import type { AttemptUpdate, RaceUpdate } from '@agentclash/api';
import { attemptScore, attemptVerdict, attemptVerdictColor } from '../scorecard/grading.js';
import { score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';

/** Of `not graded`, the longest word, and of `1.000`: what follows is aligned. */
const VERDICT_WIDTH = 10;
const SCORE_WIDTH = 5;
const RETRIED = 'again'.padEnd(VERDICT_WIDTH + 2 + SCORE_WIDTH);

/** One line for what has happened: `14:05:09Z  passed      1.000  solver  case-3 #1  (3/10)`. */
export function updateLine(update: RaceUpdate, paint: Paint): string {
  const time = paint.dim(`${update.at.slice(11, 19)}Z`);
  if (update.kind === 'run') {
    const why = update.reason === null ? '' : `: ${oneLine(update.reason)}`;
    return `${time}  run ${update.status}${why}`;
  }
  const { laneName, caseKey, repetition, scored, total } = update;
  const caseLabel = `${oneLine(caseKey)} #${repetition}`;
  const progress = paint.dim(`(${scored}/${total})`);
  return `${time}  ${result(update, paint)}  ${paint.bold(oneLine(laneName))}  ${caseLabel}${why(update)}  ${progress}`;
}

/** Whether it deserves a line although the board shows the figures. */
export function isFailure(update: RaceUpdate): boolean {
  return update.kind === 'scored' && (update.passed !== true || update.outcome !== 'completed');
}

function result({ kind, ...ended }: AttemptUpdate, paint: Paint): string {
  if (kind === 'retried') return paint.yellow(RETRIED);
  const verdict = attemptVerdictColor(ended, paint)(attemptVerdict(ended).padEnd(VERDICT_WIDTH));
  return `${verdict}  ${score(attemptScore(ended)).padEnd(SCORE_WIDTH)}`;
}

function why({ outcome, message }: AttemptUpdate): string {
  const parts = [outcome === 'completed' ? null : outcome, message].filter((part) => part !== null);
  return parts.length === 0 ? '' : `  ${oneLine(parts.join(': '), 160)}`;
}

import { attemptScore, attemptVerdict, attemptVerdictColor } from '../scorecard/grading.js';
import { score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import type { AttemptLanding, Landing } from './landing.js';

/** Of `not graded`, the longest word, and of `1.000`: what follows is aligned. */
const VERDICT_WIDTH = 10;
const SCORE_WIDTH = 5;
const RETRIED = 'again'.padEnd(VERDICT_WIDTH + 2 + SCORE_WIDTH);

/** One line for what has happened: `14:05:09Z  passed      1.000  solver  case-3 #1  (3/10)`. */
export function landingLine(landing: Landing, paint: Paint): string {
  const time = paint.dim(`${landing.at.slice(11, 19)}Z`);
  if (landing.kind === 'run') {
    const why = landing.reason === undefined ? '' : `: ${oneLine(landing.reason)}`;
    return `${time}  run ${landing.status}${why}`;
  }
  const { lane, caseKey, repetition, scored, total } = landing;
  const place = `${oneLine(caseKey)} #${repetition}`;
  const progress = paint.dim(`(${scored}/${total})`);
  return `${time}  ${result(landing, paint)}  ${paint.bold(oneLine(lane))}  ${place}${why(landing)}  ${progress}`;
}

/** Whether a person wants to hear of it although the board shows the figures. */
export function isFailure(landing: Landing): boolean {
  return landing.kind === 'scored' && (landing.passed !== true || landing.outcome !== 'completed');
}

function result({ kind, ...ended }: AttemptLanding, paint: Paint): string {
  if (kind === 'retried') return paint.yellow(RETRIED);
  const verdict = attemptVerdictColor(ended, paint)(attemptVerdict(ended).padEnd(VERDICT_WIDTH));
  return `${verdict}  ${score(attemptScore(ended)).padEnd(SCORE_WIDTH)}`;
}

function why({ outcome, message }: AttemptLanding): string {
  const parts = [outcome === 'completed' ? undefined : outcome, message].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `  ${oneLine(parts.join(': '), 160)}`;
}

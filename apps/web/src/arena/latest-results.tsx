import type { AttemptUpdate } from '@agentclash/api';
import { memo, useState } from 'react';
import { Link } from 'wouter';
import { Badge, type Tone } from '../design/badge.js';
import { formatScore } from '../design/format.js';
import { LaneMark } from '../design/lane-mark.js';
import { Panel } from '../design/panel.js';
import { Empty } from '../design/states.js';
import css from './arena.module.css';

const SHOWN_MAX = 30;

interface LatestResultsProps {
  results: readonly AttemptUpdate[];
  /** True when there are results older than these. */
  isFromSnapshot: boolean;
}

/** The newest results. */
export const LatestResults = memo(function LatestResults({ results, isFromSnapshot }: LatestResultsProps) {
  const [isFailures, setFailures] = useState(false);
  const shown = results.filter(({ passed }) => !isFailures || passed !== true).slice(0, SHOWN_MAX);
  const filter = (
    <label className={css.filter}>
      <input type="checkbox" checked={isFailures} onChange={({ target }) => setFailures(target.checked)} />
      Failures only
    </label>
  );
  return (
    <Panel title="Latest results" actions={filter} isFlush>
      {shown.length === 0 && (
        <Empty title={isFromSnapshot ? 'No results since this page was opened' : 'No results yet'} />
      )}
      <ol className={css.list}>
        {shown.map((result) => (
          <ResultLine key={result.position} result={result} />
        ))}
      </ol>
    </Panel>
  );
});

function ResultLine({ result }: { result: AttemptUpdate }) {
  const { attemptId, laneIndex, laneName, caseKey, repetition, outcome, message, overall } = result;
  const { tone, word } = verdictOf(result);
  return (
    <li className={css.line}>
      <Badge tone={tone}>{word}</Badge>
      <span className="figures">{formatScore(overall)}</span>
      <span className={css.lane}>
        <LaneMark index={laneIndex} /> {laneName}
      </span>
      <Link to={`/attempts/${attemptId}`}>
        {caseKey}
        {repetition > 1 && ` #${repetition}`}
      </Link>
      <span className={css.why}>
        {outcome !== null && outcome !== 'completed' && outcome}
        {message !== null && `: ${message}`}
      </span>
    </li>
  );
}

function verdictOf({ passed, outcome, message }: AttemptUpdate): { tone: Tone; word: string } {
  if (passed === true) return { tone: 'good', word: 'passed' };
  if (passed === false) return { tone: 'bad', word: 'failed' };
  return { tone: 'warn', word: outcome === 'completed' && message === null ? 'no verdict' : 'not graded' };
}

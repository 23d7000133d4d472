import type { RunAgent } from '@agentclash/api';
import { Link } from 'wouter';
import { classes } from '../design/classes.js';
import { formatScore } from '../design/format.js';
import { LaneMark } from '../design/lane-mark.js';
import { RunProgress } from '../runs/run-progress.js';
import css from './lane.module.css';

/** A lane of a run that has ended: its figures. */
export function SettledLane({ agent, index }: { agent: RunAgent; index: number }) {
  const { id, name, kind, progress, overall_so_far } = agent;
  return (
    <li className={classes(css.card, css.settled)} aria-label={`Lane ${name}`}>
      <header className={css.header}>
        <h2 className={css.name}>
          <LaneMark index={index} /> <Link to={`/runs/${agent.run_id}/agents/${id}`}>{name}</Link>
        </h2>
        <span className={css.kind}>{kind}</span>
        <span className={css.score}>
          <span className="visually-hidden">score </span>
          {formatScore(overall_so_far)}
        </span>
      </header>
      <RunProgress progress={progress} />
    </li>
  );
}

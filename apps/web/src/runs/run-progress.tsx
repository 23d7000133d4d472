import type { Run } from '@agentclash/api';
import type { RunStatus } from '@agentclash/domain';
import { Badge, type Tone } from '../design/badge.js';
import { formatCount } from '../design/format.js';
import { Meter } from '../design/meter.js';
import css from './run-progress.module.css';

type Progress = Run['progress'];

/**
 * The progress of a run or a lane: passed, failed, not graded, finished and running attempts, of those that were not
 * skipped.
 */
export function RunProgress({ progress }: { progress: Progress }) {
  const { finished, scored, passed, running, skipped = 0 } = progress;
  const total = progress.total - skipped;
  const { graded = scored } = progress;
  const share = (count: number) => (total === 0 ? 0 : count / total);
  const label = `${formatCount(finished)} of ${formatCount(total)} attempts finished, ${formatCount(passed)} passed`;
  const ungraded = scored - graded;
  const others = [
    ...(ungraded > 0 ? [`${formatCount(ungraded)} not graded`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
  ];
  return (
    <span className={css.progress}>
      <Meter
        label={[label, ...others].join(', ')}
        parts={[
          { share: share(passed), tone: 'good' },
          { share: share(graded - passed), tone: 'bad' },
          { share: share(ungraded), tone: 'warn' },
          { share: share(finished - scored), tone: 'neutral' },
          { share: share(running), tone: 'accent' },
        ]}
      />
      <span className="figures" aria-hidden="true">
        {formatCount(finished)}/{formatCount(total)}
        {skipped > 0 && `, ${formatCount(skipped)} skipped`}
      </span>
    </span>
  );
}

const TONES: Record<RunStatus, Tone> = {
  queued: 'neutral',
  running: 'accent',
  paused: 'warn',
  scoring: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

export function RunStatusBadge({ status }: { status: RunStatus }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

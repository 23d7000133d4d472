import { differenceInWords, pairInWords, pairMeters, type Run, type RunAgent } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { Meter } from '../../design/meter.js';
import { Panel } from '../../design/panel.js';
import { Empty } from '../../design/states.js';
import { evidenceText, PairBar, PairNames, PairVerdictBadge } from './pair-verdict.js';
import css from './race.module.css';

interface PairMetersProps {
  run: Run;
  agents: readonly RunAgent[];
}

/** A meter for each pair of a race to a decision: its interval against zero, and how much evidence it has. */
export function PairMeters({ run, agents }: PairMetersProps) {
  const { stop_when, race } = run;
  if (stop_when?.decided === undefined) return null;
  if (race === undefined) {
    return (
      <Panel title="Pairs">
        <Empty title={hasRunEnded(run.status) ? 'No verdict was reached' : 'No case is complete yet'} />
      </Panel>
    );
  }
  return (
    <Panel title="Pairs">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <ul className={css.meters} aria-label="Pairs of the race" tabIndex={0}>
        {pairMeters(race, agents).map((pair) => (
          <li key={`${pair.a.id} ${pair.b.id}`} className={css.pair}>
            <span className={css.head}>
              <PairNames pair={pair} runId={run.id} agents={agents} />
              <PairVerdictBadge verdict={pair.verdict} />
            </span>
            <PairBar pair={pair} />
            <Meter
              label={evidenceText(pair)}
              parts={[{ share: pair.counted, tone: pair.verdict === null ? 'accent' : 'good' }]}
            />
            <span className={css.text}>
              <span className="figures">{differenceInWords(pair)}</span>
              <span className="figures" aria-hidden="true">
                {evidenceText(pair)}
              </span>
            </span>
            {pair.verdict !== null && <span className={css.text}>{pairInWords(pair)}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

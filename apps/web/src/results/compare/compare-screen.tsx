import { type LaneComparison, type RunComparison, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Answer } from '../../data/answer.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { Empty } from '../../design/empty.js';
import { SelectField, TextField } from '../../design/field.js';
import { Filters } from '../../design/filters.js';
import { Page } from '../../design/page.js';
import { useFilters } from '../../navigation/use-filters.js';
import type { ScreenProps } from '../../screens.js';
import { BaselineButton } from './baseline-button.js';
import { LaneMeasures } from './lane-measures.js';

const LISTED = 100;
const SIDES = ['baseline', 'candidate'] as const;

/** Two runs, case by case: better, worse or inconclusive. */
export default function CompareScreen(_props: ScreenProps) {
  const [get, set] = useFilters();
  const [baseline, candidate] = [get('baseline'), get('candidate')];
  const runs = useRead(routes.runs.list, { query: { status: 'completed', limit: LISTED } });
  const baselines = useRead(routes.baselines.list, {});
  return (
    <Page title="Compare" lead="Candidate minus baseline over the cases that both have; higher is better.">
      <Filters>
        {SIDES.map((side) => (
          <SelectField
            key={side}
            label={side === 'baseline' ? 'Baseline' : 'Candidate'}
            value={get(side)}
            onChange={({ target }) => set(side, target.value)}
          >
            <option value="">choose a run</option>
            {side === 'baseline' &&
              baselines.data?.items.map(({ name }) => (
                <option key={name} value={name}>
                  baseline {name}
                </option>
              ))}
            {runs.data?.items.map(({ id, name, pack }) => (
              <option key={id} value={id}>
                {name ?? id.slice(-8)} ({pack.slug} v{pack.version_number})
              </option>
            ))}
          </SelectField>
        ))}
        {SIDES.map((side) => (
          <TextField
            key={`${side} agent`}
            label={`Agent of the ${side} (optional)`}
            value={get(`${side}_agent`)}
            onChange={({ target }) => set(`${side}_agent`, target.value)}
          />
        ))}
      </Filters>
      {baseline === '' || candidate === '' ? (
        <Empty title="Choose two runs of the same version to compare." />
      ) : (
        <Comparison
          query={{
            baseline,
            candidate,
            ...(get('baseline_agent') && { baseline_agent: get('baseline_agent') }),
            ...(get('candidate_agent') && { candidate_agent: get('candidate_agent') }),
          }}
        />
      )}
      {candidate !== '' && <BaselineButton runId={candidate} agent={get('candidate_agent')} />}
    </Page>
  );
}

interface Query {
  baseline: string;
  candidate: string;
  baseline_agent?: string;
  candidate_agent?: string;
}

function Comparison({ query }: { query: Query }) {
  const isNamed = query.baseline_agent !== undefined || query.candidate_agent !== undefined;
  const first = useRead(routes.comparisons.compare, { query });
  // Without named lanes, each lane that both runs have is compared with its namesake.
  const shared = first.data && !isNamed ? sharedNames(first.data) : [];
  const all = useRead(
    routes.comparisons.compare,
    { query: { ...query, agents: shared.join(',') } },
    { enabled: shared.length > 1 },
  );
  return (
    <Answer of={shared.length > 1 ? all : first} what="the comparison">
      {(compared) => (
        <>
          {compared.comparisons.map((lane) => (
            <Lane
              key={`${lane.baseline_run_agent_id} ${lane.candidate_run_agent_id}`}
              compared={compared}
              lane={lane}
            />
          ))}
        </>
      )}
    </Answer>
  );
}

function sharedNames({ baseline, candidate }: RunComparison): string[] {
  const names = new Set(baseline.agents.map(({ name }) => name));
  // A comma separates names.
  return candidate.agents.map(({ name }) => name).filter((name) => names.has(name) && !name.includes(','));
}

function Lane({ compared, lane }: { compared: RunComparison; lane: LaneComparison }) {
  const named = ({ agents }: RunComparison['baseline'], id: string | null) =>
    agents.find(({ run_agent_id }) => run_agent_id === id)?.name ?? 'several agents';
  const left = named(compared.baseline, lane.baseline_run_agent_id);
  const right = named(compared.candidate, lane.candidate_run_agent_id);
  const title = `${right} against ${left}`;
  if (lane.comparable) return <LaneMeasures title={title} lane={lane} compared={compared} />;
  return (
    <Empty title={`${title}: not comparable`}>
      <p>
        {lane.reasons.map((reason) => (
          <Badge key={reason} tone="warn">
            {reason.replaceAll('_', ' ')}
          </Badge>
        ))}
      </p>
      {lane.reasons.includes('agent_unresolved') && <p>A run has several agents: name one above.</p>}
      <p>
        <Link to={`/runs/${compared.candidate.run_id}/ranking`}>the candidate</Link>{' '}
        <Link to={`/runs/${compared.baseline.run_id}/ranking`}>the baseline</Link>
      </p>
    </Empty>
  );
}

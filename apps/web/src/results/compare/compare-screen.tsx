import { type RunComparison, routes } from '@agentclash/api';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Filters } from '../../design/field.js';
import { Page } from '../../design/page.js';
import { Empty } from '../../design/states.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { RunChoice } from '../../runs/run-choice.js';
import { BaselineButton } from '../baseline-button.js';
import { ComparedLanes } from './compared-lanes.js';
import { LaneField } from './lane-field.js';

/** Two runs, case by case: better, worse or inconclusive. */
export default function CompareScreen(_props: ScreenProps) {
  const [get, set] = useFilters();
  const [baseline, candidate] = [get('baseline'), get('candidate')];
  const lanes = { baseline: get('baseline_agent'), candidate: get('candidate_agent') };
  const query = {
    ...{ baseline, candidate },
    ...(lanes.baseline && { baseline_agent: lanes.baseline }),
    ...(lanes.candidate && { candidate_agent: lanes.candidate }),
  };
  const isChosen = baseline !== '' && candidate !== '';
  return (
    <Page title="Compare" lead="Candidate minus baseline over their common cases; higher is better.">
      <Filters>
        <RunChoice
          label="Baseline"
          value={baseline}
          mayBeBaseline
          onChange={(run, lane = '') => set({ baseline: run, baseline_agent: lane })}
        />
        <RunChoice
          label="Candidate"
          value={candidate}
          onChange={(run) => set({ candidate: run, candidate_agent: '' })}
        />
        {isChosen && <Agents query={query} lanes={lanes} onChange={set} />}
      </Filters>
      {isChosen ? (
        <Comparison query={query} />
      ) : (
        <Empty title="Choose two runs of the same version">
          <p>The baseline is the accepted run; the candidate is the run to compare with it.</p>
        </Empty>
      )}
      {candidate !== '' && <Accept runId={candidate} agent={lanes.candidate} />}
    </Page>
  );
}

/** Only a completed run can be a baseline. */
function Accept({ runId, agent }: { runId: string; agent: string }) {
  const { data: run } = useRead(routes.runs.get, { params: { run_id: runId } });
  return run?.status === 'completed' && <BaselineButton run={run} agent={agent} />;
}

interface Query {
  baseline: string;
  candidate: string;
  baseline_agent?: string;
  candidate_agent?: string;
}

interface AgentsProps {
  query: Query;
  lanes: { baseline: string; candidate: string };
  onChange: (changes: Readonly<Record<string, string>>) => void;
}

/** Selects the compared agents of runs with several agents. */
function Agents({ query, lanes, onChange }: AgentsProps) {
  const { data } = useRead(routes.comparisons.compare, { query });
  if (data === undefined) return null;
  return (
    <>
      <LaneField
        label="Agent of the baseline"
        agents={data.baseline.agents}
        value={lanes.baseline}
        onChange={(baseline_agent) => onChange({ baseline_agent })}
      />
      <LaneField
        label="Agent of the candidate"
        agents={data.candidate.agents}
        value={lanes.candidate}
        onChange={(candidate_agent) => onChange({ candidate_agent })}
      />
    </>
  );
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
    <Loaded of={shared.length > 1 ? all : first} what="the comparison">
      {(compared) => <ComparedLanes compared={compared} />}
    </Loaded>
  );
}

function sharedNames({ baseline, candidate }: RunComparison): string[] {
  const names = new Set(baseline.agents.map(({ name }) => name));
  // A comma separates names.
  return candidate.agents.map(({ name }) => name).filter((name) => names.has(name) && !name.includes(','));
}

import { type Attempt, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { AgentOutput } from '../case/agent-output.js';
import caseCss from '../case/case.module.css';
import { caseAddress } from '../full-attempt.js';
import { useManifest } from '../use-manifest.js';

/** The lane of a run. */
export interface ComparedLane {
  runId: string;
  agentId: string;
  /** Of the run and its agent. */
  name: string;
}

interface ComparedCaseProps {
  caseKey: string;
  baseline: ComparedLane;
  candidate: ComparedLane;
}

/** The outputs of two lanes for one case, with the words of the candidate that differ from the baseline's. */
export function ComparedCase({ caseKey, baseline, candidate }: ComparedCaseProps) {
  const left = useAttempts(baseline, caseKey);
  const right = useAttempts(candidate, caseKey);
  return (
    <div className={caseCss.outputs}>
      <Loaded of={left} what="the output of the baseline">
        {(attempts) => (
          <Side lane={baseline} index={0} attempts={attempts} against={undefined} caseKey={caseKey} />
        )}
      </Loaded>
      <Loaded of={right} what="the output of the candidate">
        {(attempts) => (
          <Side lane={candidate} index={1} attempts={attempts} against={left.data?.[0]} caseKey={caseKey} />
        )}
      </Loaded>
    </div>
  );
}

function useAttempts({ runId, agentId }: ComparedLane, case_key: string) {
  return useAll(routes.runs.attempts, {
    params: { run_id: runId },
    query: { case_key, run_agent_id: agentId },
  });
}

interface SideProps {
  lane: ComparedLane;
  index: number;
  attempts: readonly Attempt[];
  against: Attempt | undefined;
  caseKey: string;
}

function Side({ lane: { runId, agentId, name }, index, attempts, against, caseKey }: SideProps) {
  const run = useRead(routes.runs.get, { params: { run_id: runId } });
  const manifest = useManifest(run.data);
  return (
    <div>
      <AgentOutput
        agent={{ name }}
        index={index}
        attempts={attempts}
        isMarked={false}
        against={against}
        manifest={manifest}
      />
      <p>
        <Link to={caseAddress(runId, caseKey, { agent: agentId })}>All agents of the run at this case</Link>
      </p>
    </div>
  );
}

import { routes } from '@agentclash/api';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { RunFrame } from '../../runs/run-frame.js';
import { Matrix } from './matrix.js';

/** Every case against every agent. */
export default function MatrixScreen({ params: { runId } }: ScreenProps<'runId'>) {
  const agents = useRead(routes.runs.agents, { params: { run_id: runId } });
  return (
    <RunFrame runId={runId} tab="matrix">
      {(run) => (
        <Loaded of={agents} what="the lanes">
          {({ items }) => <Matrix run={run} agents={items} />}
        </Loaded>
      )}
    </RunFrame>
  );
}

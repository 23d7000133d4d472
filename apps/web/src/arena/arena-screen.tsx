import { routes } from '@agentclash/api';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { RunFrame } from '../runs/run-frame.js';
import { Arena } from './arena.js';

/** A run with live updates. */
export default function ArenaScreen({ params: { runId } }: ScreenProps<'runId'>) {
  const agents = useRead(routes.runs.agents, { params: { run_id: runId } });
  return (
    <RunFrame runId={runId} tab="arena">
      {(run) => (
        <Loaded of={agents} what="the lanes">
          {(lanes) => <Arena key={run.id} run={run} lanes={lanes} />}
        </Loaded>
      )}
    </RunFrame>
  );
}

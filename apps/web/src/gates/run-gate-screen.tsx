import { type GateDecision, type Run, routes } from '@agentclash/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useAll } from '../data/use-all.js';
import { useRead } from '../data/use-read.js';
import { Panel } from '../design/panel.js';
import { Section } from '../design/section.js';
import { Empty } from '../design/states.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { BaselineButton } from '../results/baseline-button.js';
import { RunFrame } from '../runs/run-frame.js';
import { RunLink } from '../runs/run-name.js';
import { useMay } from '../session/session.js';
import { Decisions, GateVerdictBadge, Reasons } from './decisions.js';
import { GateForm } from './gate-form.js';
import css from './gates.module.css';

/** Shows the gate of a run, and lets it replace its baseline. */
export default function RunGateScreen({ params: { runId } }: ScreenProps<'runId'>) {
  const mayDecide = useMay('member');
  return (
    <RunFrame runId={runId} tab="gate">
      {(run) => (
        <>
          {run.status !== 'completed' && <Empty title="A gate needs a completed run" />}
          {run.status === 'completed' && mayDecide && <Decide run={run} />}
          <Section title="Decisions">
            <Decisions candidateRunId={runId} />
          </Section>
          {run.status === 'completed' && <BaselineButton run={run} agent="" />}
        </>
      )}
    </RunFrame>
  );
}

function Decide({ run }: { run: Run }) {
  const [decision, setDecision] = useState<GateDecision>();
  const scope = { pack: run.pack.slug, input_set: run.input_set.key };
  const baselines = useAll(routes.baselines.list, { query: scope });
  const policies = useAll(routes.gatePolicies.list, {});
  const agents = useRead(routes.runs.agents, { params: { run_id: run.id } });
  return (
    <Panel title="Gate">
      <Loaded of={baselines} what="the baselines">
        {(known) =>
          known.length === 0 ? (
            <Empty title={`No baseline of ${scope.pack}, input set ${scope.input_set}, yet`}>
              <p>Accept a run as the baseline first: this one below, or another run on its own page.</p>
            </Empty>
          ) : (
            <Loaded of={policies} what="the policies">
              {(written) => (
                <Loaded of={agents} what="the agents">
                  {({ items: lanes }) => (
                    <GateForm
                      runId={run.id}
                      baselines={known}
                      policies={written}
                      agents={lanes}
                      onDecided={setDecision}
                    />
                  )}
                </Loaded>
              )}
            </Loaded>
          )
        }
      </Loaded>
      {decision && <Decision decision={decision} />}
    </Panel>
  );
}

function Decision({ decision }: { decision: GateDecision }) {
  const { baseline_run_id, policy, comparison_id } = decision;
  return (
    <div className={css.decision} role="status">
      <p>
        <GateVerdictBadge verdict={decision.verdict} /> against{' '}
        <RunLink id={baseline_run_id} view="/ranking" /> by policy <strong>{policy.name}</strong>
      </p>
      <Reasons decision={decision} />
      <Link to={`/comparisons/${comparison_id}`}>Comparison</Link>
    </div>
  );
}

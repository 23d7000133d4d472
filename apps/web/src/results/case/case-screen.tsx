import { type Run, type RunAgent, routes } from '@agentclash/api';
import { type ReactNode, useMemo } from 'react';
import { CaseInputs, Expectation } from '../../cases/case-view.js';
import { readCase } from '../../cases/read-case.js';
import { Loaded } from '../../data/loaded.js';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { Filters, SelectField, Toggle } from '../../design/field.js';
import { Page } from '../../design/page.js';
import { Panel } from '../../design/panel.js';
import { Empty } from '../../design/states.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { StepButtons } from '../../navigation/step-buttons.js';
import { useFilters } from '../../navigation/use-filters.js';
import { PackErrors } from '../../runs/run-frame.js';
import { RunLink } from '../../runs/run-name.js';
import { caseAddress, type FullAttempt } from '../full-attempt.js';
import { byKey, ORDERS } from '../matrix/cells.js';
import { useCaseRows } from '../matrix/use-case-rows.js';
import { expectedParts } from '../scorecard/expected-parts.js';
import { TaskText } from '../transcript/task-text.js';
import { useManifest } from '../use-manifest.js';
import { AgentOutput } from './agent-output.js';
import css from './case.module.css';
import { adjacentTo, caseOrder } from './case-order.js';

/** The outputs of all agents of a run for one case, side by side. */
export default function CaseScreen({ params }: ScreenProps<'runId' | 'caseKey'>) {
  const caseKey = decoded(params.caseKey);
  return <CasePage key={caseKey} runId={params.runId} caseKey={caseKey} />;
}

/** A key may have characters that an address cannot. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface CasePageProps {
  runId: string;
  caseKey: string;
}

function CasePage({ runId, caseKey }: CasePageProps) {
  const params = { run_id: runId };
  const run = useRead(routes.runs.get, { params });
  const agents = useRead(routes.runs.agents, { params });
  return (
    <Page
      title={`Case ${caseKey}`}
      lead={<RunLink id={runId} view="/matrix" />}
      actions={agents.data && <CaseSteps run={run.data} agents={agents.data.items} {...{ runId, caseKey }} />}
    >
      {run.data && <PackErrors run={run.data} />}
      <Loaded of={agents} what="the agents">
        {({ items }) => <Outputs run={run.data} agents={items} {...{ runId, caseKey }} />}
      </Loaded>
    </Page>
  );
}

interface CaseOfRun extends CasePageProps {
  run: Run | undefined;
  agents: readonly RunAgent[];
}

const DIFFERENT = 'different';

function CaseSteps({ run, agents, runId, caseKey }: CaseOfRun) {
  const [get, set] = useFilters();
  const { rows, isPending } = useCaseRows(agents, run?.status);
  const order = ORDERS.find((known) => known === get('order')) ?? 'case';
  const only = get('only');
  // Before the run is scored, the attempts of its first agent name the cases.
  const run_agent_id = agents[0]?.id ?? '';
  const isUnscored = !isPending && rows.length === 0;
  const begun = useAll(
    routes.runs.attempts,
    { params: { run_id: runId }, query: { run_agent_id } },
    { enabled: isUnscored && run_agent_id !== '' },
  );
  const keys = useMemo(() => {
    // With a part of the scorecards the next case would be another one than with all of them.
    if (isPending) return [];
    if (rows.length > 0) return caseOrder(rows, order, only === DIFFERENT);
    return [...new Set((begun.data ?? []).map((attempt) => attempt.case_key))].sort(byKey);
  }, [isPending, rows, order, only, begun.data]);
  const { position, previous, next } = adjacentTo(keys, caseKey);
  const view = Object.fromEntries(
    ['order', 'only', 'against'].flatMap((name) => (get(name) === '' ? [] : [[name, get(name)]])),
  );
  const to = (key: string | undefined) => (key === undefined ? undefined : caseAddress(runId, key, view));
  return (
    <>
      {agents.length > 1 && (
        <Toggle
          label="Only cases that differ"
          checked={only === DIFFERENT}
          onChange={({ target }) => set({ only: target.checked ? DIFFERENT : '' })}
        />
      )}
      <StepButtons
        what="case"
        count={keys.length}
        position={position}
        previous={to(previous)}
        next={to(next)}
      />
    </>
  );
}

const EXPECTED = 'expected';

function Outputs({ run, agents, runId, caseKey }: CaseOfRun) {
  const [get, set] = useFilters();
  const attempts = useAll(routes.runs.attempts, {
    params: { run_id: runId },
    query: { case_key: caseKey },
  });
  const manifest = useManifest(run);
  return (
    <Loaded of={attempts} what="the attempts">
      {(all) => {
        const lanes = agents
          .map((agent, index) => ({
            agent,
            index,
            attempts: all.filter(({ run_agent_id }) => run_agent_id === agent.id),
          }))
          .filter((lane) => lane.attempts.length > 0);
        const [first] = lanes[0]?.attempts ?? [];
        if (first === undefined) {
          return (
            <Empty title="No agent of this run has this case">
              <p>Its cases are in the case matrix of the run.</p>
            </Empty>
          );
        }
        const against = get('against') || EXPECTED;
        const reference = lanes.find(({ agent }) => agent.id === against);
        return (
          <>
            <Given attemptId={first.id} manifest={manifest} />
            <Filters>
              <SelectField
                label="Compare outputs with"
                value={against}
                onChange={({ target }) => set({ against: target.value === EXPECTED ? '' : target.value })}
              >
                <option value={EXPECTED}>the expected value</option>
                <option value="none">nothing</option>
                {lanes.map(({ agent }) => (
                  <option key={agent.id} value={agent.id}>
                    {agent.name}
                  </option>
                ))}
              </SelectField>
            </Filters>
            <div className={css.outputs}>
              {lanes.map((lane) => (
                <AgentOutput
                  key={lane.agent.id}
                  {...lane}
                  isMarked={lane.agent.id === get('agent')}
                  against={against === EXPECTED ? 'expected' : reference?.attempts[0]}
                  manifest={manifest}
                />
              ))}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

/** Characters of the instructions that are loaded with the page. */
const TASK_MAX = 8_000;

interface GivenProps {
  /** Any attempt of the case has it. */
  attemptId: string;
  manifest: FullAttempt['stored_case'] | undefined;
}

/** The task that all agents were given, and what was expected of them. */
function Given({ attemptId, manifest }: GivenProps) {
  const attempt = useRead(routes.attempts.get, { params: { attempt_id: attemptId } });
  const task = useRead(routes.attempts.replay, {
    params: { attempt_id: attemptId },
    query: { limit: 1, text_max: TASK_MAX },
  });
  return (
    <Loaded of={attempt} what="the case">
      {({ stored_case }) => {
        const { inputs, payload } = readCase(stored_case, manifest);
        const { values } = expectedParts(stored_case, manifest, null);
        return (
          <div className={css.given}>
            <Panel title="Task">
              <Bounded label="Task as shown to the agents">
                <TaskText step={task.data?.items[0]} attemptId={attemptId} />
                <CaseInputs inputs={inputs} payload={payload} />
              </Bounded>
            </Panel>
            <Panel title="Expected">
              <Bounded label="Expected values">
                {values.length === 0 && <p className={css.quiet}>No fixed value</p>}
                {values.map((expectation, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a case and a validator may have the same key.
                  <Expectation key={index} expectation={expectation} />
                ))}
              </Bounded>
            </Panel>
          </div>
        );
      }}
    </Loaded>
  );
}

/** It scrolls by itself, so that the outputs are in view. */
function Bounded({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.bounded} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

import { type ReplayStep, routes } from '@agentclash/api';
import { useMemo } from 'react';
import { CaseInputs, CaseView, Expectation } from '../../cases/case-view.js';
import { readCase } from '../../cases/read-case.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { formatBytes } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { AttemptFiles } from '../files/attempt-files.js';
import type { FullAttempt } from '../full-attempt.js';
import type { useSteps } from '../replay/use-steps.js';
import { expectedParts } from '../scorecard/expected-parts.js';
import { FailedChecks } from '../scorecard/failed-checks.js';
import { useScorecard } from '../scorecard/use-scorecard.js';
import { RenderedText } from '../transcript/rendered-text.js';
import { TaskText } from '../transcript/task-text.js';
import { useManifest } from '../use-manifest.js';
import css from './attempt.module.css';

interface OverviewProps {
  attempt: FullAttempt;
  steps: ReturnType<typeof useSteps>;
}

/** Task, expected value and output side by side, and the checks that did not pass in sentences. */
export function Overview({ attempt, steps }: OverviewProps) {
  const { run_id } = attempt;
  const { data: run } = useRead(routes.runs.get, { params: { run_id } });
  const manifest = useManifest(run);
  const { card } = useScorecard(attempt.id);
  const expected = useMemo(
    () => expectedParts(attempt.stored_case, manifest, card),
    [attempt.stored_case, manifest, card],
  );
  return (
    <>
      <div className={css.columns}>
        <Task attempt={attempt} manifest={manifest} first={steps.items[0]} />
        <Panel title="Expected">
          <Scrolled label="Expected values">
            {expected.values.map((expectation, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a case and a validator may have the same key.
              <Expectation key={index} expectation={expectation} />
            ))}
            {expected.values.length === 0 && (
              <p className={css.quiet}>
                {expected.graders.length === 0 ? 'No expected value' : 'No fixed value. Graded by:'}
              </p>
            )}
            {expected.values.length === 0 &&
              expected.graders.map(({ key, kind }) => (
                <p key={key}>
                  {key} <Badge>{kind}</Badge>
                </p>
              ))}
          </Scrolled>
        </Panel>
        <Output attempt={attempt} />
      </div>
      <FailedChecks attempt={attempt} />
    </>
  );
}

interface TaskProps {
  attempt: FullAttempt;
  manifest: Readonly<Record<string, unknown>> | undefined;
  /** Its first event has the task as the agent received it. */
  first: ReplayStep | undefined;
}

function Task({ attempt: { id, stored_case }, manifest, first }: TaskProps) {
  const parts = readCase(stored_case, manifest);
  const hasInputs = parts.inputs.length > 0 || parts.payload !== undefined;
  return (
    <Panel title="Task">
      <Scrolled label="Task as shown to the agent">
        <TaskText attemptId={id} step={first} />
        {hasInputs && <CaseInputs {...parts} />}
        {first === undefined && !hasInputs && <p className={css.quiet}>No task recorded yet</p>}
        <details>
          <summary>Case</summary>
          <CaseView stored={stored_case} manifest={manifest} />
        </details>
      </Scrolled>
    </Panel>
  );
}

function Output({ attempt }: { attempt: FullAttempt }) {
  const { final_output, snapshot, error, outcome } = attempt;
  return (
    <Panel title="Output">
      <Scrolled label="Final output">
        {final_output === null || final_output === '' ? (
          <p className={css.quiet}>
            {final_output === null ? 'No final output' : 'The final output is blank.'}
          </p>
        ) : (
          <RenderedText shown={{ value: final_output }} label="final output" />
        )}
        {error !== null && (
          <p>
            <Badge tone="bad">{(outcome ?? 'error').replaceAll('_', ' ')}</Badge> {error.message}
          </p>
        )}
        <AttemptFiles attempt={attempt} />
        {snapshot !== null && <p className={css.quiet}>Workspace snapshot {formatBytes(snapshot.bytes)}</p>}
      </Scrolled>
    </Panel>
  );
}

/** On wide screens the three columns are bounded, and each scrolls by itself. */
function Scrolled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.scroll} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

import { type Attempt, type Run, routes } from '@agentclash/api';
import { divergenceIn, hasDiverged } from '@agentclash/domain';
import { Link } from 'wouter';
import { useAll } from '../../data/use-all.js';
import { useRead } from '../../data/use-read.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { useReplayFailures } from '../../runs/infra-failures.js';
import { attemptAddress } from '../full-attempt.js';
import sides from '../sides.module.css';
import css from './divergence.module.css';

/** The first request of a replayed attempt that differs from the recorded one; nothing for any other attempt. */
export function AttemptDivergence({ attempt }: { attempt: Attempt }) {
  if (!hasDiverged(attempt)) return null;
  return (
    <Panel title="First difference from the recorded attempt">
      <Difference message={attempt.error?.message ?? ''} />
      <p>
        The attempt ended here without a score: the agent, its files or the pack changed since the recording.{' '}
        <RecordedLink attempt={attempt} />
      </p>
    </Panel>
  );
}

function RecordedLink({ attempt }: { attempt: Attempt }) {
  const recorded = useRecordedAttempt(attempt);
  if (recorded === undefined) return null;
  return (
    <Link to={attemptAddress(attempt.id, { tab: 'events', with: recorded.id })}>
      Compare with the recorded attempt
    </Link>
  );
}

/** The attempt that this one replays: of the same agent, case and repetition; undefined where there is none. */
export function useRecordedAttempt(attempt: Attempt): Attempt | undefined {
  const { run_id, agent_name, case_key, repetition } = attempt;
  const run = useRead(routes.runs.get, { params: { run_id } });
  const source = run.data?.replay_from ?? '';
  const recorded = useAll(
    routes.runs.attempts,
    { params: { run_id: source }, query: { case_key } },
    { enabled: source !== '' },
  );
  if (source === '') return undefined;
  return recorded.data?.find((each) => each.agent_name === agent_name && each.repetition === repetition);
}

/** The sentence on a difference, with both sides one below the other where it has them. */
function Difference({ message }: { message: string }) {
  const divergence = divergenceIn(message);
  if (divergence === undefined) return <p className={css.excerpt}>{message}</p>;
  const { call, path, expected, found } = divergence;
  return (
    <>
      <p>
        Model call {formatCount(call)} differs from the recorded one at <code>{path}</code>
      </p>
      <dl className={sides.sides}>
        <dt>Expected</dt>
        <dd>{expected === undefined ? <em>nothing</em> : <code className={css.excerpt}>{expected}</code>}</dd>
        <dt>Found</dt>
        <dd>{found === undefined ? <em>nothing</em> : <code className={css.excerpt}>{found}</code>}</dd>
      </dl>
    </>
  );
}

const LISTED_MAX = 10;

type Alike = [Attempt, ...Attempt[]];

/** Attempts of one agent that differ in the same call at the same path, together; the first is the example. */
function alike(attempts: readonly Attempt[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const attempt of attempts) {
    const message = attempt.error?.message ?? '';
    const { call, path } = divergenceIn(message) ?? {};
    const key = JSON.stringify([attempt.run_agent_id, call, path ?? message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [attempt]);
    else group.push(attempt);
  }
  return [...groups.values()];
}

/** The diverged attempts of a replayed run with their first differences; nothing where all were served. */
export function RunDivergences({ run }: { run: Run }) {
  const failures = useReplayFailures(run);
  const diverged = (failures?.attempts ?? []).filter(hasDiverged);
  if (diverged.length === 0) return null;
  const count = `${formatCount(diverged.length)}${failures?.hasMore ? ' or more' : ''}`;
  return (
    <Panel title={`Attempts that differ from the recorded run (${count})`}>
      <p>They ended at their first difference and have no score.</p>
      <ul className={css.list}>
        {alike(diverged).map(([first, ...others]) => (
          <li key={first.id}>
            <Difference message={first.error?.message ?? ''} />
            <p className={css.attempts}>
              {[first, ...others].slice(0, LISTED_MAX).map(({ id, agent_name, case_key, repetition }) => (
                <Link key={id} to={`/attempts/${id}`}>
                  {agent_name} on {case_key}
                  {repetition > 1 && ` #${repetition}`}
                </Link>
              ))}
              {others.length >= LISTED_MAX && (
                <span>and {formatCount(others.length + 1 - LISTED_MAX)} more</span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

import { type Attempt, type ResponseOutput, routes } from '@agentclash/api';
import { REPLAY_DIVERGED } from '@agentclash/domain';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { formatCount, formatDuration, formatScore } from '../../design/format.js';
import { Page } from '../../design/page.js';
import { Empty } from '../../design/states.js';
import { type TabLink, TabLinks } from '../../design/tab-links.js';
import { RunLink } from '../../runs/run-name.js';
import { VerdictBadge, verdictOf } from '../verdict.js';
import { AttemptDivergence } from './divergence.js';

export type FullAttempt = ResponseOutput<typeof routes.attempts.get>;

const TABS = [
  { key: 'replay', path: '', name: 'Replay' },
  { key: 'scorecard', path: '/scorecard', name: 'Scorecard' },
] as const;

const REFRESH_MS = 2_000;
/** Slower for a scored attempt, which may still be retried. */
export const SETTLED_REFRESH_MS = 15_000;

interface AttemptFrameProps {
  attemptId: string;
  tab: (typeof TABS)[number]['key'];
  children: (attempt: FullAttempt) => ReactNode;
}

/** The frame of both screens of an attempt. */
export function AttemptFrame({ attemptId, tab, children }: AttemptFrameProps) {
  const attempt = useRead(
    routes.attempts.get,
    { params: { attempt_id: attemptId } },
    { refetchInterval: refreshOf },
  );
  const tabs = TABS.map(
    ({ key, path, name }): TabLink => ({ key, name, to: `/attempts/${attemptId}${path}` }),
  );
  const { data } = attempt;
  const name = data === undefined ? 'Attempt' : `${data.agent_name} on ${data.case_key}`;
  return (
    <Page title={name} lead={data && <Facts attempt={data} />}>
      <TabLinks label="Views of the attempt" tabs={tabs} current={tab} />
      <Loaded of={attempt} what="the attempt">
        {(loaded) =>
          loaded.state === 'skipped' ? (
            <Empty title="Skipped">
              <p>The run ended, or its agent left the race, before this attempt was needed.</p>
            </Empty>
          ) : (
            <>
              <AttemptDivergence attempt={loaded} />
              {children(loaded)}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function refreshOf(attempt: FullAttempt | undefined): number | false {
  if (attempt === undefined || attempt.state === 'skipped') return false;
  return isSettled(attempt) ? SETTLED_REFRESH_MS : REFRESH_MS;
}

/** A retried attempt keeps its earlier score until the next one. */
function isSettled({ state, is_scored }: FullAttempt): boolean {
  return state === 'finished' && is_scored;
}

function Facts({ attempt }: { attempt: FullAttempt }) {
  const { run_id, run_agent_id, repetition, outcome, limit_kind, state, delivery, error, pack_error } =
    attempt;
  return (
    <>
      <VerdictBadge verdict={verdictOf(attempt)} />
      <span className="figures">overall {formatScore(attempt.overall)}</span>
      <span>
        {outcome ?? state}
        {limit_kind !== null && ` (${limit_kind})`}
      </span>
      <span>{formatDuration(attempt.latency_ms)}</span>
      {attempt.imported && <Badge tone="warn">imported</Badge>}
      {attempt.model_call_count !== undefined && <span>{callCounts(attempt)}</span>}
      {attempt.served_calls !== undefined && (
        <span>
          <Badge tone="warn">served</Badge> {attempt.served_calls} model replies without a call
        </span>
      )}
      {attempt.challenge_key !== undefined && <span>challenge {attempt.challenge_key}</span>}
      {repetition > 1 && <span>repetition {repetition}</span>}
      {delivery > 1 && <span>delivery {delivery}</span>}
      <RunLink id={run_id} view="/matrix" />
      <Link to={`/runs/${run_id}/agents/${run_agent_id}`}>{attempt.agent_name}</Link>
      {error !== null && (
        <span>{error.code === REPLAY_DIVERGED ? error.code : `${error.code}: ${error.message}`}</span>
      )}
      {pack_error !== undefined && (
        <span role="alert">
          <Badge tone="bad">pack error</Badge> {pack_error.message}
        </span>
      )}
    </>
  );
}

/** A program's own tools are not counted. */
function callCounts({ model_call_count = 0, tool_call_count, imported }: FullAttempt): string {
  const models = `${formatCount(model_call_count)} model ${model_call_count === 1 ? 'call' : 'calls'}`;
  if (tool_call_count === null) return models;
  return `${models}, ${formatCount(tool_call_count)} tool ${tool_call_count === 1 ? 'call' : 'calls'}${imported ? '' : ' through the platform'}`;
}

/** A name that is unique among the attempts of one case. */
export function attemptName({ agent_name, repetition }: Pick<Attempt, 'agent_name' | 'repetition'>): string {
  return repetition > 1 ? `${agent_name} #${repetition}` : agent_name;
}

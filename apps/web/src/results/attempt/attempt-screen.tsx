import { routes } from '@agentclash/api';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Page } from '../../design/page.js';
import { Empty } from '../../design/states.js';
import { type TabLink, TabLinks } from '../../design/tab-links.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { PackErrors } from '../../runs/run-frame.js';
import { attemptAddress, type FullAttempt } from '../full-attempt.js';
import { AttemptDivergence } from '../replay/divergence.js';
import { EventsTab } from '../replay/events-tab.js';
import { HumanTurn } from '../replay/human-turn.js';
import { useSteps } from '../replay/use-steps.js';
import { ScoreTab } from '../scorecard/score-tab.js';
import { Transcript } from '../transcript/transcript.js';
import { AgentsOfCase, CaseButtons } from './adjacent.js';
import { AttemptFacts } from './attempt-facts.js';
import { Overview } from './overview.js';

const TABS = [
  { key: 'transcript', name: 'Transcript' },
  { key: 'events', name: 'Events' },
  { key: 'scores', name: 'Scores' },
] as const;
type AttemptTab = (typeof TABS)[number]['key'];

/** Parts of an address that are of the events, whether or not it names the tab. */
const OF_EVENTS = ['event', 'kind', 'q', 'with'];

/** The task of an attempt, what was expected, its output and why that failed; then how it got there. */
export default function AttemptScreen({ params: { attemptId } }: ScreenProps<'attemptId'>) {
  // Each attempt is a page of its own: its heading is announced, and nothing of the last one stays open.
  return <AttemptPage key={attemptId} attemptId={attemptId} />;
}

function AttemptPage({ attemptId }: { attemptId: string }) {
  // In parallel with the attempt: the steps take the longest to load.
  const steps = useSteps(attemptId);
  const attempt = useRead(
    routes.attempts.get,
    { params: { attempt_id: attemptId } },
    { refetchInterval: refreshOf },
  );
  const [get] = useFilters();
  const tab = TABS.find(({ key }) => key === get('tab'))?.key ?? tabOf(get);
  const { data } = attempt;
  return (
    <Page
      title={data === undefined ? 'Attempt' : `${data.agent_name} on ${data.case_key}`}
      lead={data && <AttemptFacts attempt={data} />}
      actions={data && <CaseButtons attempt={data} tab={tab} />}
    >
      {data && <AgentsOfCase attempt={data} tab={tab} />}
      <Loaded of={attempt} what="the attempt">
        {(loaded) => (
          <>
            <RunPackErrors runId={loaded.run_id} />
            {loaded.state === 'skipped' ? (
              <Empty title="Skipped">
                <p>The run ended, or its agent left the race, before this attempt was needed.</p>
              </Empty>
            ) : (
              <>
                <AttemptDivergence attempt={loaded} />
                <HumanTurn attempt={loaded} />
                <Overview attempt={loaded} steps={steps} />
                <TabLinks label="Views of the attempt" tabs={tabLinks(attemptId)} current={tab} />
                <View tab={tab} attempt={loaded} steps={steps} />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function tabOf(get: (name: string) => string): AttemptTab {
  return OF_EVENTS.some((name) => get(name) !== '') ? 'events' : 'transcript';
}

function tabLinks(attemptId: string): TabLink[] {
  return TABS.map(({ key, name }) => ({
    ...{ key, name },
    to: attemptAddress(attemptId, key === 'transcript' ? {} : { tab: key }),
  }));
}

interface ViewProps {
  tab: AttemptTab;
  attempt: FullAttempt;
  steps: ReturnType<typeof useSteps>;
}

function View({ tab, attempt, steps }: ViewProps) {
  if (tab === 'events') return <EventsTab attempt={attempt} steps={steps} />;
  if (tab === 'scores') return <ScoreTab attempt={attempt} />;
  return <Transcript attemptId={attempt.id} steps={steps} />;
}

function RunPackErrors({ runId }: { runId: string }) {
  const { data } = useRead(routes.runs.get, { params: { run_id: runId } });
  return data === undefined ? null : <PackErrors run={data} />;
}

const REFRESH_MS = 2_000;
/** Slower for a scored attempt, which may still be retried. */
const SETTLED_REFRESH_MS = 15_000;

function refreshOf(attempt: FullAttempt | undefined): number | false {
  if (attempt === undefined || attempt.state === 'skipped') return false;
  // A retried attempt keeps its earlier score until the next one.
  return attempt.state === 'finished' && attempt.is_scored ? SETTLED_REFRESH_MS : REFRESH_MS;
}

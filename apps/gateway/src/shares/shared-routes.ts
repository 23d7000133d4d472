import { type Route, routes } from '@agentclash/api';

/** How a request names the run that it reads: by itself, by one of its attempts or run agents, or twice in a query. */
type Named = 'nothing' | 'run' | 'attempt' | 'run_agent' | 'compared';

/**
 * All that a link to a run can read, and how each request names the run, which must be that of the link. Routes that are
 * not listed are refused.
 */
export const SHARED_ROUTES: ReadonlyMap<Route, Named> = new Map<Route, Named>([
  [routes.workspaces.whoami, 'nothing'],
  [routes.runs.get, 'run'],
  [routes.runs.agents, 'run'],
  [routes.runs.attempts, 'run'],
  [routes.runs.scorecards, 'run'],
  [routes.runs.ranking, 'run'],
  [routes.runs.failures, 'run'],
  [routes.runs.export, 'run'],
  [routes.runs.events, 'run'],
  [routes.runs.search, 'run'],
  [routes.attempts.get, 'attempt'],
  [routes.attempts.events, 'attempt'],
  [routes.attempts.payload, 'attempt'],
  [routes.attempts.replay, 'attempt'],
  [routes.attempts.scorecard, 'attempt'],
  [routes.runAgents.scorecard, 'run_agent'],
  [routes.comparisons.compare, 'compared'],
]);

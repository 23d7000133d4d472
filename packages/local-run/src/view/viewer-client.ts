import path from 'node:path';
import { ApiError, type Client, type Route, routes, type Whoami } from '@agentclash/api';
import type { Run, RunComparison } from '@agentclash/contracts';
import { compareRuns } from '@agentclash/run-scoring';
import { WORKSPACE_ID } from '../run/prepare-run.js';

/** The parts of a call that routes without a run read. */
interface Parts {
  query?: Readonly<Record<string, unknown>>;
}

/** Resources that a file never holds, which result pages list. */
const EMPTY: ReadonlySet<Route> = new Set<Route>([
  routes.audits.list,
  routes.baselines.list,
  routes.deployments.list,
  routes.gatePolicies.list,
  routes.gates.list,
  routes.packs.list,
]);

/** The routes of the result pages over the client of a file: with a workspace, and with nothing to be changed. */
export function viewerClient(results: Client, file: string): Client {
  return {
    async call(route: Route, ...[parts]: [unknown?]) {
      if (route === routes.workspaces.whoami) return whoami(file) as never;
      if (route === routes.workspaces.list) {
        return { items: [whoami(file).workspace], next_cursor: null } as never;
      }
      if (EMPTY.has(route)) return { items: [], next_cursor: null } as never;
      if (route === routes.comparisons.compare)
        return (await lanesCompared(results, parts as Parts)) as never;
      return (await results.call(route, parts as never)) as never;
    },
    events: (runId, options) => results.events(runId, options),
  };
}

function whoami(file: string): Whoami {
  const name = path.basename(file);
  return {
    workspace: { id: WORKSPACE_ID, slug: 'results', name, created_at: new Date(0).toISOString() },
    ...{ role: 'viewer', results_only: true, token: { id: null, name: 'read only', expires_at: null } },
  };
}

/** Lanes of the one run, compared with one another. */
async function lanesCompared(results: Client, { query = {} }: Parts): Promise<RunComparison> {
  const { items } = await results.call(routes.runs.list, { query: { limit: 1 } });
  const run = items[0] as Run;
  if (query.baseline !== run.id || query.candidate !== run.id) {
    const detail =
      'Here only lanes of this run can be compared: agentclash compare A.clash B.clash compares two.';
    throw new ApiError({ code: 'not_found', detail });
  }
  const agents = (await results.call(routes.runs.agents, { params: { run_id: run.id } })).items;
  const side = { run, agents };
  const { content } = await compareRuns({ baseline: side, candidate: side }, query, (run_agent_id) =>
    results.call(routes.runAgents.scorecard, { params: { run_agent_id } }),
  );
  return content;
}

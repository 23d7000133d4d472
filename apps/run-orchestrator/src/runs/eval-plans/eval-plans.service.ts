import { Bus, Handles, type Serves } from '@agentclash/bus';
import { type EvalPlan, evalPlans, type In, type PlannedLane, races } from '@agentclash/contracts';
import type { RaceMetric } from '@agentclash/domain';
import type { AgentSnapshot } from '@agentclash/run-rules';
import { RunRaces } from '../admission/race-settings.source.js';
import { type RunScope, RunScopes } from '../admission/run-scope.source.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { type EarlierLane, EarlierLanes } from './earlier-lanes.store.js';
import { laneFigures } from './lane-figures.js';
import { planFigures } from './plan-figures.js';

type Values = (number | null)[];

/** Cases whose earlier values are compared: enough for the spread of two lanes. */
const VALUES_MAX = 2_000;

/** Plans races before anything is spent: by simulation, and by the figures of earlier runs of the same lanes. */
@Handles(evalPlans)
export class EvalPlansService implements Serves<typeof evalPlans> {
  constructor(
    private readonly scopes: RunScopes,
    private readonly races: RunRaces,
    private readonly earlier: EarlierLanes,
    private readonly attempts: AttemptReads,
    private readonly bus: Bus,
  ) {}

  async make({ workspace_id, request }: In<typeof evalPlans.make>): Promise<EvalPlan> {
    const scope = await this.scopes.read(workspace_id, request);
    const { version, inputSet, candidates, caseKeys } = scope;
    const { agents } = candidates;
    const { goal, metric, alpha, margin } = request.decided;
    const baseline = await this.races.check(request.decided, racedBy(workspace_id, scope), 'decided');
    const earlier = await this.earlier.find(workspace_id, scope);
    const comparable = earlier.flatMap((lane) => (lane?.isSameSet ? [lane] : []));
    const { discordance: given = null, difference, seed, repetitions } = request;
    const plan = await this.bus.call(races.plan, {
      ...{ workspace_id, goal, alpha, margin, difference, seed },
      lanes: agents.length,
      cases: caseKeys.length,
      discordance: given,
      earlier: given === null ? await this.values(comparable, { metric, caseKeys, baseline }) : [],
    });
    const lanes = await Promise.all(agents.map((agent, at) => this.lane(agent, earlier[at], scope)));
    const concurrency = request.max_concurrency ?? (await this.concurrency(earlier));
    const source = plan.discordance_source;
    const run_ids = source === 'earlier_runs' ? [...new Set(comparable.map(({ runId }) => runId))] : [];
    return {
      challenge_pack_version_id: version.id,
      pack: { slug: version.slug, name: version.name, version_number: version.version_number },
      input_set: { id: inputSet.id, key: inputSet.key },
      ...{ goal, metric, alpha, margin, difference, repetitions, concurrency, lanes },
      discordance: { value: plan.discordance, source, run_ids },
      pairs: plan.pairs,
      pair_alpha: plan.share,
      ...planFigures({ cases: caseKeys.length, repetitions, difference, lanes, concurrency, seed }, plan),
    };
  }

  private async values(
    lanes: readonly EarlierLane[],
    {
      metric,
      caseKeys,
      baseline,
    }: Pick<RunScope, 'caseKeys'> & { metric: RaceMetric; baseline: Values | null },
  ): Promise<Values[]> {
    const keys = caseKeys.slice(0, VALUES_MAX);
    const values = await Promise.all(
      lanes.map(async ({ runAgentId }) => {
        const byCase = await this.attempts.valuesByCase(runAgentId, metric);
        return keys.map((key) => byCase.get(key) ?? null);
      }),
    );
    return baseline === null ? values : [...values, baseline.slice(0, VALUES_MAX)];
  }

  private async lane(
    agent: AgentSnapshot,
    earlier: EarlierLane | undefined,
    { view }: RunScope,
  ): Promise<PlannedLane> {
    const { deployment_id, name, variant } = agent;
    const deliveries = earlier === undefined ? [] : await this.attempts.endedDeliveries(earlier.runAgentId);
    return {
      deployment_id,
      name,
      ...(variant && { variant }),
      ...laneFigures(deliveries, agent, view.spec.pricing),
      run_id: earlier?.runId ?? null,
    };
  }

  /** Of the newest of the runs. */
  private async concurrency(earlier: readonly (EarlierLane | undefined)[]): Promise<number | null> {
    const newest = earlier
      .flatMap((lane) => lane?.runId ?? [])
      .sort()
      .at(-1);
    return newest === undefined ? null : await this.attempts.concurrency(newest);
  }
}

function racedBy(workspaceId: string, { version, view, inputSet, candidates, caseKeys }: RunScope) {
  return {
    workspaceId,
    versionId: version.id,
    evaluationSpecId: version.evaluation_spec_id,
    inputSetId: inputSet.id,
    spec: view.spec,
    lanes: candidates.agents.length,
    caseKeys,
  };
}

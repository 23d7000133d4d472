import { Handles, type Serves } from '@agentclash/bus';
import {
  type Baseline,
  baselines,
  ContractError,
  type In,
  isServedReplies,
  type Out,
  type Run,
} from '@agentclash/contracts';
import type { RunAgentScorecard } from '@agentclash/grading';
import { namedAgent } from '@agentclash/run-scoring';
import { decodeCursor, pageOf } from '@agentclash/service-kit';
import { RemovedRuns } from '../removal/held-run.store.js';
import { draftProblem } from '../runs/draft-runs.js';
import { RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import { BaselineResolver, scopeInWords, scopeOf } from './baseline-resolver.js';
import { type BaselineList, type BaselineScope, BaselinesStore } from './baselines.store.js';

@Handles(baselines)
export class BaselinesService implements Serves<typeof baselines> {
  constructor(
    private readonly store: BaselinesStore,
    private readonly resolver: BaselineResolver,
    private readonly runs: RunsSource,
    private readonly scorecards: ScorecardsStore,
    private readonly removed: RemovedRuns,
  ) {}

  async set({
    workspace_id,
    name,
    spec,
    actor,
  }: In<typeof baselines.set>): Promise<Out<typeof baselines.set>> {
    await this.removed.check([spec.run_id]);
    const side = await this.runs.get(workspace_id, spec.run_id);
    const agent = spec.agent === undefined ? undefined : namedAgent(side, spec.agent);
    const accepted = agent === undefined ? side.agents : [agent];
    checkFit({ run: side.run, isScored: await this.isAnyScored(workspace_id, accepted) });
    await this.resolver.adoptEarlier(workspace_id);
    const key = { workspaceId: workspace_id, name, ...scopeOf(side.run) };
    const run = {
      runId: spec.run_id,
      runAgentId: agent?.id ?? null,
      agentName: agent?.name ?? null,
      updatedBy: actor,
    };
    const set = await this.store.set(key, run, spec.replaces);
    if (set !== undefined) return { ...set.baseline, replaced_run_id: set.replacedRunId };
    throw new ContractError(
      'conflict',
      `The baseline "${name}" of ${scopeInWords(scopeOf(side.run))} refers to another run than expected. Read it again.`,
      { errors: [{ code: 'changed', field: 'replaces', message: 'is not the run of the baseline' }] },
    );
  }

  get({ workspace_id, name, pack, input_set }: In<typeof baselines.get>): Promise<Baseline> {
    return this.resolver.resolve({ workspaceId: workspace_id, name, ...scopeFrom(pack, input_set) });
  }

  async list(query: In<typeof baselines.list>): Promise<Out<typeof baselines.list>> {
    const { workspace_id: workspaceId, name, pack, input_set, limit, cursor } = query;
    await this.resolver.adoptEarlier(workspaceId);
    const after = readCursor(cursor);
    const scope = scopeFrom(pack, input_set);
    const rows = await this.store.list({ workspaceId, name, ...scope, after, take: limit + 1 });
    return pageOf(rows, limit, { item: (baseline) => baseline, sortKey: cursorOf });
  }

  async remove({
    workspace_id,
    name,
    pack,
    input_set,
  }: In<typeof baselines.remove>): Promise<Out<typeof baselines.remove>> {
    const reference = { workspaceId: workspace_id, name, ...scopeFrom(pack, input_set) };
    const found = await this.resolver.resolve(reference);
    const { pack: packSlug = '', input_set: inputSetKey = '' } = found;
    await this.store.remove({ workspaceId: workspace_id, name, packSlug, inputSetKey });
    return {};
  }

  private async isAnyScored(workspaceId: string, agents: readonly { id: string }[]): Promise<boolean> {
    for (const { id } of agents) {
      const { scorecard } = await this.scorecards.findRunAgent(workspaceId, id);
      // Stored by this service as the library returned it.
      const card = scorecard as Pick<RunAgentScorecard, 'validity'> | null;
      if (card !== null && card.validity !== 'invalid') return true;
    }
    return false;
  }
}

function scopeFrom(pack: string | undefined, inputSet: string | undefined): Partial<BaselineScope> {
  return {
    ...(pack !== undefined && { packSlug: pack }),
    ...(inputSet !== undefined && { inputSetKey: inputSet }),
  };
}

/** Only the last of the three may contain a slash. */
function cursorOf({ name, pack = '', input_set = '' }: Baseline): string {
  return [name, pack, input_set].join('/');
}

function readCursor(cursor: string | undefined): BaselineList['after'] {
  const text = decodeCursor(cursor);
  if (text === undefined) return undefined;
  const [name = '', packSlug, ...inputSet] = text.split('/');
  if (packSlug !== undefined && inputSet.length > 0) return [name, packSlug, inputSet.join('/')];
  throw new ContractError('invalid_input', 'The cursor is not one of this list. Start again without it.', {
    errors: [{ code: 'malformed', field: 'cursor', message: 'not a cursor of this list' }],
  });
}

interface CandidateBaseline {
  run: Pick<Run, 'id' | 'status' | 'finished_at' | 'draft' | 'selective_retry' | 'model_calls'>;
  /** True when an accepted lane has a usable scorecard. */
  isScored: boolean;
}

/** Reasons for which a run cannot be a baseline; the first that applies is reported. */
const UNFIT: readonly [
  code: string,
  applies: (side: CandidateBaseline) => boolean,
  messageOf: (run: CandidateBaseline['run']) => string,
][] = [
  ['run_of_draft', ({ run }) => run.draft === true, (run) => draftProblem(run)],
  [
    'run_not_over',
    ({ run }) => run.finished_at === null,
    ({ id }) => `The run ${id} has not ended: wait for its ranking.`,
  ],
  [
    'run_not_completed',
    ({ run }) => run.status !== 'completed',
    ({ id, status }) =>
      `The run ${id} ${status === 'cancelled' ? 'was cancelled' : `is ${status}`}: only a completed run can be a baseline.`,
  ],
  [
    'selective_retry',
    ({ run }) => run.selective_retry === true,
    ({ id }) =>
      `Attempts of the run ${id} were retried because of their result: no gate would decide against it. Start a new run.`,
  ],
  [
    'recorded_model_calls',
    ({ run }) => isServedReplies(run),
    ({ id, model_calls }) =>
      `The run ${id} has the model calls "${model_calls}": it is no new evidence about the models. Start a live run.`,
  ],
  [
    'not_scored',
    ({ isScored }) => !isScored,
    ({ id }) => `The run ${id} has no usable scorecard: no gate could decide against it.`,
  ],
];

/** Fails with `conflict` for a run that no gate could decide against. */
function checkFit(candidate: CandidateBaseline): void {
  for (const [code, applies, messageOf] of UNFIT) {
    if (!applies(candidate)) continue;
    const message = messageOf(candidate.run);
    throw new ContractError('conflict', message, { errors: [{ code, field: 'run_id', message }] });
  }
}

import {
  type Baseline,
  type baselines,
  ContractError,
  type In,
  type Out,
  type Run,
} from '@agentclash/contracts';
import type { RunAgentScorecard } from '@agentclash/grading';
import { decodeCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { RemovedRuns } from '../removal/removed-runs.store.js';
import { namedAgent, RunsSource } from '../runs/runs.source.js';
import { ScorecardsStore } from '../store/scorecards.store.js';
import {
  type BaselineList,
  type BaselineScope,
  BaselinesStore,
  type EarlierBaseline,
} from './baselines.store.js';
import { checkFit } from './unfit-run.js';

interface Reference extends Partial<BaselineScope> {
  workspaceId: string;
  name: string;
}

/** More baselines of one name than this are not listed in an error. */
const NAMED_MAX = 10;

@Injectable()
export class BaselinesService {
  constructor(
    private readonly store: BaselinesStore,
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
    await this.adoptEarlier(workspace_id);
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
    return this.resolve({ workspaceId: workspace_id, name, ...scopeFrom(pack, input_set) });
  }

  async list(query: In<typeof baselines.list>): Promise<Out<typeof baselines.list>> {
    const { workspace_id: workspaceId, name, pack, input_set, limit, cursor } = query;
    await this.adoptEarlier(workspaceId);
    const after = readCursor(cursor);
    const scope = scopeFrom(pack, input_set);
    const rows = await this.store.list({ workspaceId, name, ...scope, after, take: limit + 1 });
    return pageOf(rows, limit, { item: (baseline) => baseline, sortKey: cursorOf });
  }

  async remove({ workspace_id, name, pack, input_set }: In<typeof baselines.remove>): Promise<void> {
    const reference = { workspaceId: workspace_id, name, ...scopeFrom(pack, input_set) };
    const found = await this.resolve(reference);
    const { pack: packSlug = '', input_set: inputSetKey = '' } = found;
    await this.store.remove({ workspaceId: workspace_id, name, packSlug, inputSetKey });
  }

  /**
   * The one baseline of a name, within a pack and input set where these are given. Fails with `not_found`, and with
   * `invalid_input` when there are several.
   */
  async resolve(reference: Reference): Promise<Baseline> {
    await this.adoptEarlier(reference.workspaceId);
    const found = await this.store.list({ ...reference, take: NAMED_MAX + 1 });
    const [first, ...more] = found;
    if (first === undefined) throw await this.unknown(reference);
    if (more.length === 0) return first;
    const scopes = found.slice(0, NAMED_MAX).map(scopeOfBaseline).join('; ');
    throw new ContractError(
      'invalid_input',
      `Several baselines are named "${reference.name}": name the pack and the input set. They belong to ${scopes}.`,
      { errors: [{ code: 'ambiguous', field: 'pack', message: 'needed: several baselines have this name' }] },
    );
  }

  private async unknown({ workspaceId, name, packSlug, inputSetKey }: Reference): Promise<ContractError> {
    const elsewhere = await this.store.list({ workspaceId, name, take: NAMED_MAX });
    const where =
      packSlug === undefined || inputSetKey === undefined
        ? ''
        : ` of ${scopeInWords({ packSlug, inputSetKey })}`;
    const others =
      elsewhere.length === 0
        ? ''
        : ` Those of that name belong to ${elsewhere.map(scopeOfBaseline).join('; ')}.`;
    return new ContractError(
      'not_found',
      `There is no baseline "${name}"${where}. Set one: agentclash baseline set <run> --name ${name}.${others}`,
    );
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

  /** Assigns baselines that an earlier release stored by name alone to the pack and input set of their run. */
  private async adoptEarlier(workspaceId: string): Promise<void> {
    for (const earlier of await this.store.listEarlier(workspaceId)) {
      await this.store.adopt(earlier, await this.scopeOfEarlier(earlier));
    }
  }

  private async scopeOfEarlier({ workspaceId, runId }: EarlierBaseline): Promise<BaselineScope | undefined> {
    try {
      return scopeOf((await this.runs.get(workspaceId, runId)).run);
    } catch (error) {
      if (error instanceof ContractError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

export function scopeOf({ pack, input_set }: Pick<Run, 'pack' | 'input_set'>): BaselineScope {
  return { packSlug: pack.slug, inputSetKey: input_set.key };
}

function scopeFrom(pack: string | undefined, inputSet: string | undefined): Partial<BaselineScope> {
  return {
    ...(pack !== undefined && { packSlug: pack }),
    ...(inputSet !== undefined && { inputSetKey: inputSet }),
  };
}

function scopeInWords({ packSlug, inputSetKey }: BaselineScope): string {
  return `the pack ${packSlug}, input set ${inputSetKey}`;
}

function scopeOfBaseline({ pack = '', input_set = '' }: Baseline): string {
  return scopeInWords({ packSlug: pack, inputSetKey: input_set });
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

import { type Baseline, ContractError, type Run } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunsSource } from '../runs/runs.source.js';
import { type BaselineScope, BaselinesStore, type EarlierBaseline } from './baselines.store.js';

interface Reference extends Partial<BaselineScope> {
  workspaceId: string;
  name: string;
}

/** More baselines of one name than this are not listed in an error. */
const NAMED_MAX = 10;

/** Finds the baseline of a name. */
@Injectable()
export class BaselineResolver {
  constructor(
    private readonly store: BaselinesStore,
    private readonly runs: RunsSource,
  ) {}

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

  /** Assigns baselines that an earlier release stored by name alone to the pack and input set of their run. */
  async adoptEarlier(workspaceId: string): Promise<void> {
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

export function scopeInWords({ packSlug, inputSetKey }: BaselineScope): string {
  return `the pack ${packSlug}, input set ${inputSetKey}`;
}

function scopeOfBaseline({ pack = '', input_set = '' }: Baseline): string {
  return scopeInWords({ packSlug: pack, inputSetKey: input_set });
}

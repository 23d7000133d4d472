import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  comparisons,
  type In,
  type RunComparison,
  type StoredComparison,
} from '@agentclash/contracts';
import { ComparisonsStore } from './comparisons.store.js';
import { RunComparer } from './run-comparer.js';

@Handles(comparisons)
export class ComparisonsService implements Serves<typeof comparisons> {
  constructor(
    private readonly comparer: RunComparer,
    private readonly store: ComparisonsStore,
  ) {}

  async compare({ workspace_id, ...query }: In<typeof comparisons.compare>): Promise<RunComparison> {
    return (await this.comparer.compare(workspace_id, query)).content;
  }

  async get({ workspace_id, comparison_id }: In<typeof comparisons.get>): Promise<StoredComparison> {
    const found = await this.store.find(workspace_id, comparison_id);
    if (found === undefined) throw new ContractError('not_found', `There is no comparison ${comparison_id}.`);
    return found;
  }
}

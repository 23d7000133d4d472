import { Bus } from '@agentclash/bus';
import { type Out, packs, type Run, runs } from '@agentclash/contracts';
import type { ComparedRun } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';

const PAGE = 200;

type CasesOfRun = Pick<Run, 'workspace_id' | 'challenge_pack_version_id' | 'input_set'>;

@Injectable()
export class RunsSource {
  constructor(private readonly bus: Bus) {}

  /** Fails with `not_found`. */
  async get(workspace_id: string, run_id: string): Promise<ComparedRun> {
    const [run, { items }] = await Promise.all([
      this.bus.call(runs.get, { workspace_id, run_id }),
      this.bus.call(runs.agents, { workspace_id, run_id }),
    ]);
    return { run, agents: items };
  }

  /** The keys of all cases of a run's input set, in authored order. */
  async caseKeys({ workspace_id, challenge_pack_version_id, input_set }: CasesOfRun): Promise<string[]> {
    const set = { workspace_id, version_id: challenge_pack_version_id, input_set_key: input_set.key };
    const keys: string[] = [];
    let after: number | undefined;
    for (let hasMore = true; hasMore; ) {
      const { items, has_more } = await this.bus.call(packs.caseKeys, { ...set, after });
      keys.push(...items.map(({ case_key }) => case_key));
      after = items.at(-1)?.position;
      hasMore = has_more && items.length > 0;
    }
    return keys;
  }

  async finishedAttempts(
    run: { workspace_id: string; run_id: string },
    cursor: string | undefined,
  ): Promise<Out<typeof runs.attempts>> {
    return await this.bus.call(runs.attempts, { ...run, state: 'finished', limit: PAGE, cursor });
  }
}

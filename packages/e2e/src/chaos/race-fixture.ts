import { type Client, routes } from '@agentclash/api';
import { Fleet } from '../fleet/fleet.js';
import { type CountingProvider, countingProvider } from './counting-provider.js';
import type { FaultContext } from './faults.js';
import { type PlannedFault, Randomness } from './plan.js';
import { type PlannedRun, raceOf } from './race.js';
import type { RunRecord } from './record.js';
import { type Entries, type Round, runRound } from './round.js';
import { SmallDisk } from './small-disk.js';

export interface RaceFixtureOptions {
  /** Of one race. */
  attempts: number;
  seed: number;
  log: (line: string) => void;
}

/** A fleet with a race that can be run again and again. */
export class RaceFixture {
  private baseline: readonly RunRecord[] | undefined;

  private constructor(
    readonly context: FaultContext,
    private readonly provider: CountingProvider,
    private readonly entries: Entries,
    private readonly log: (line: string) => void,
  ) {}

  /** Starts everything and publishes what the race needs. */
  static async open({ attempts, seed, log }: RaceFixtureOptions): Promise<RaceFixture> {
    const provider = await countingProvider();
    let disk: SmallDisk | undefined;
    const fleet = await Fleet.start({
      prepare: ({ jetstream }) => {
        disk = mounted(jetstream);
        return () => disk?.unmount();
      },
    });
    try {
      const entries = await publish(fleet.client, provider.url, attempts);
      return new RaceFixture({ fleet, disk, random: new Randomness(seed) }, provider, entries, log);
    } catch (error) {
      await fleet.stop();
      await provider.close();
      throw error;
    }
  }

  /** One race under these faults. The first has none: the others are compared with it. */
  async round(plan: readonly PlannedFault[]): Promise<Round> {
    const { context, provider, entries, baseline, log } = this;
    const round = await runRound({ context, provider, entries, baseline, plan, log });
    this.baseline ??= round.runs;
    return round;
  }

  async close(): Promise<void> {
    await this.context.fleet.stop();
    await this.provider.close();
  }
}

function mounted(folder: string): SmallDisk | undefined {
  if (!SmallDisk.isPossible()) return undefined;
  const disk = new SmallDisk(folder);
  try {
    disk.mount();
    return disk;
  } catch {
    // A container may be root without the right to mount.
    return undefined;
  }
}

async function publish(client: Client, baseUrl: string, attempts: number): Promise<Entries> {
  const account = await client.call(routes.providerAccounts.create, {
    body: { name: 'counting', provider_key: 'openai_compatible', base_url: baseUrl },
  });
  return await Promise.all(raceOf(attempts).map((planned) => entered(client, planned, account.id)));
}

async function entered(client: Client, planned: PlannedRun, accountId: string): Promise<Entries[number]> {
  const published = await client.call(routes.packs.publish, { body: JSON.stringify(planned.pack) });
  const models = planned.models.map((model) => ({
    name: model,
    kind: 'model' as const,
    config: { provider_account_id: accountId, model },
  }));
  const deployments = await Promise.all(
    [...models, ...planned.scripted].map((body) => client.call(routes.deployments.create, { body })),
  );
  return {
    key: planned.key,
    versionId: published.challenge_pack_version_id,
    deploymentIds: deployments.map(({ id }) => id),
  };
}

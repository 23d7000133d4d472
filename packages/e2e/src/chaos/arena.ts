import { type Client, routes } from '@agentclash/api';
import { Fleet } from '../fleet/fleet.js';
import { type CountingProvider, countingProvider } from './counting-provider.js';
import type { PlannedStrike } from './plan.js';
import { type PlannedRun, raceOf } from './race.js';
import { Randomness } from './randomness.js';
import type { RunRecord } from './record.js';
import { type Entries, type Round, runRound } from './round.js';
import { SmallDisk } from './small-disk.js';
import type { Scene } from './strikes.js';

export interface ArenaOptions {
  /** Of one race. */
  attempts: number;
  seed: number;
  say: (line: string) => void;
}

/** A fleet with a race that can be run again and again. */
export class Arena {
  private undisturbed: readonly RunRecord[] | undefined;

  private constructor(
    readonly scene: Scene,
    private readonly provider: CountingProvider,
    private readonly entries: Entries,
    private readonly say: (line: string) => void,
  ) {}

  /** Starts everything and publishes what the race needs. */
  static async open({ attempts, seed, say }: ArenaOptions): Promise<Arena> {
    const provider = await countingProvider();
    let disk: SmallDisk | undefined;
    const fleet = await Fleet.start({
      prepare: ({ jetstream }) => {
        disk = mounted(jetstream);
        return () => disk?.unmount();
      },
    });
    const account = await fleet.client.call(routes.providerAccounts.create, {
      body: { name: 'counting', provider_key: 'openai_compatible', base_url: provider.url },
    });
    const entries = await Promise.all(
      raceOf(attempts).map((planned) => entered(fleet.client, planned, account.id)),
    );
    return new Arena({ fleet, disk, random: new Randomness(seed) }, provider, entries, say);
  }

  /** One race under these strikes. The first goes without any, as what the others are compared with. */
  async round(plan: readonly PlannedStrike[]): Promise<Round> {
    const { scene, provider, entries, undisturbed, say } = this;
    const round = await runRound({ scene, provider, entries, undisturbed, plan, say });
    this.undisturbed ??= round.runs;
    return round;
  }

  async close(): Promise<void> {
    await this.scene.fleet.stop();
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

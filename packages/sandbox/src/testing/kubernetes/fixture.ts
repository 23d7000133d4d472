import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DirectoriesClaim } from '../../kubernetes/directories-claim.js';
import type { KubernetesOptions } from '../../kubernetes/options.js';
import { createKubernetesProvider, type KubernetesProvider } from '../../kubernetes/provider.js';
import { TestProvider } from '../test-provider.js';
import { FakeCluster, type FakeClusterOptions } from './fake-cluster.js';

/** A provider on a fake cluster on real sandboxes, and all that must go with it. */
export class ClusterFixture {
  readonly #machine = new TestProvider();
  readonly #volume = mkdtempSync(path.join(tmpdir(), 'agentclash-claim-'));
  /** Of a claim that the cluster has. */
  readonly claim: DirectoriesClaim = { name: 'agent-packages', directory: this.#volume };
  #cluster: FakeCluster | undefined;
  #url = '';

  get cluster(): FakeCluster {
    if (!this.#cluster) throw new Error('there is no cluster yet');
    return this.#cluster;
  }

  get url(): string {
    return this.#url;
  }

  async start(
    network: FakeClusterOptions['network'] = 'enforced',
    packageLists: FakeClusterOptions['packageLists'] = {},
    more: Pick<FakeClusterOptions, 'admitsRoot' | 'sandboxes'> = {},
  ): Promise<void> {
    const provider = await this.#machine.open();
    chmodSync(this.#volume, 0o755);
    const claims = { [this.claim.name]: this.#volume };
    const insideTool = provider.host.tools.inside;
    this.#cluster = new FakeCluster({ provider, insideTool, network, packageLists, claims, ...more });
    this.#url = await this.cluster.start();
  }

  open(options: Partial<KubernetesOptions> = {}): Promise<KubernetesProvider> {
    return createKubernetesProvider(
      {
        namespace: 'sandboxes',
        image: 'debian:12',
        insideImage: 'agentclash/sandbox-executor',
        insidePath: '/app/inside',
        owner: 'executor-1',
        hasUserNamespaces: true,
        access: { url: this.#url, token: async () => this.cluster.token },
        ...options,
      },
      { settleMs: 200 },
    );
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.#machine.close();
    await this.#machine.expectNothingLeft();
    rmSync(this.#volume, { recursive: true });
  }
}

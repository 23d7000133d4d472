import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BubblewrapProvider, createBubblewrapProvider } from '@agentclash/sandbox';
import { FakeCluster } from '@agentclash/sandbox/fake-cluster';

const TOKENS = '/var/run/secrets/cluster';

/** An API server for executors, whose pods are sandboxes of this machine. */
export class Pods {
  private constructor(
    readonly cluster: FakeCluster,
    private readonly provider: BubblewrapProvider,
    private readonly folder: string,
    /** The variables by which a pod of a cluster finds its API server. */
    readonly environment: Record<string, string>,
    readonly mounts: Record<string, string>,
  ) {}

  /** `claims`: the folders of this machine that volumes hold, by the name of their claim. */
  static async start(claims: Readonly<Record<string, string>> = {}): Promise<Pods> {
    const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-pods-'));
    chmodSync(folder, 0o755);
    const provider = await createBubblewrapProvider({
      stateDir: path.join(folder, 'state'),
      cgroupName: path.basename(folder),
    });
    const insideTool = provider.host.tools?.inside;
    if (insideTool === undefined) throw new Error('the process inside could not be built');
    const cluster = new FakeCluster({ provider, insideTool, claims });
    const url = await cluster.start();
    const tokens = path.join(folder, 'tokens');
    mkdirSync(tokens);
    writeFileSync(path.join(tokens, 'token'), cluster.token);
    const environment = { SANDBOX_API_URL: url, SANDBOX_API_TOKEN_FILE: `${TOKENS}/token` };
    return new Pods(cluster, provider, folder, environment, { [TOKENS]: tokens });
  }

  async close(): Promise<void> {
    await this.cluster.close();
    await this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

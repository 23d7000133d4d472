import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNatsServer, freePort } from '@agentclash/embedded';
import { waitFor } from '@agentclash/testkit';
import type { Manifest } from '../manifests/manifest.js';
import { configOf } from '../race/servers.js';

const NAMES = ['nats-0', 'nats-1', 'nats-2'] as const;
export type ServerName = (typeof NAMES)[number];

interface Ports {
  client: number;
  route: number;
  monitor: number;
}

/** The three servers of the overlay `prod` on this machine, with certificates of a test authority. */
export class ThreeServers {
  readonly #processes = new Map<ServerName, ChildProcess>();

  private constructor(
    private readonly ports: Record<ServerName, Ports>,
    /** The authority's certificate. */
    readonly caFile: string,
  ) {}

  /** `users` are the variables that name the users' public keys. Resolves when all three agree on a leader. */
  static async start(
    manifests: readonly Manifest[],
    users: Readonly<Record<string, string>>,
    folder: string,
  ): Promise<ThreeServers> {
    const ports = Object.fromEntries(
      await Promise.all(
        NAMES.map(async (name) => [
          name,
          { client: await freePort(), route: await freePort(), monitor: await freePort() },
        ]),
      ),
    ) as Record<ServerName, Ports>;
    const tls = makeCertificates(path.join(folder, 'tls'));
    const servers = new ThreeServers(ports, path.join(tls, 'ca.crt'));
    const command = await findNatsServer({ log: () => {} });
    const { server, accounts } = configOf(manifests);
    for (const name of NAMES) {
      const own = path.join(folder, name);
      mkdirSync(path.join(own, 'accounts'), { recursive: true });
      writeFileSync(path.join(own, 'accounts/accounts.conf'), accounts);
      writeFileSync(path.join(own, 'server.conf'), servers.#here(server, { name, own, tls }));
      const child = spawn(command, ['--config', path.join(own, 'server.conf')], {
        env: { POD_NAME: name, ...users },
        stdio: 'ignore',
      });
      servers.#processes.set(name, child);
    }
    await waitFor(async () => (await servers.leader()) !== undefined, { timeoutMs: 60_000 });
    return servers;
  }

  get url(): string {
    return NAMES.map((name) => `tls://localhost:${this.ports[name].client}`).join(',');
  }

  /** The leader of JetStream, as any live server reports it. */
  async leader(): Promise<string | undefined> {
    for (const name of NAMES) {
      const response = await fetch(`http://127.0.0.1:${this.ports[name].monitor}/jsz`).catch(() => undefined);
      const report = (await response?.json()) as { meta_cluster?: { leader?: string } } | undefined;
      if (report?.meta_cluster?.leader) return report.meta_cluster.leader;
    }
    return undefined;
  }

  /** Kills a server, as the loss of its node would. */
  async kill(name: ServerName): Promise<void> {
    const child = this.#processes.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    for (const name of NAMES) await this.kill(name);
  }

  /** The configuration with this machine's ports and folders for those of a pod. */
  #here(config: string, { name, own, tls }: { name: ServerName; own: string; tls: string }): string {
    const { client, route, monitor } = this.ports[name];
    const here = config
      .replace('0.0.0.0:4222', `127.0.0.1:${client}`)
      .replace('0.0.0.0:8222', `127.0.0.1:${monitor}`)
      .replace('0.0.0.0:6222', `127.0.0.1:${route}`)
      .replaceAll('/etc/nats/tls/', `${tls}/`)
      .replace('"/data"', `"${own}/data"`)
      .replace('/run/nats/', `${own}/`);
    return NAMES.reduce(
      (text, other) => text.replace(`${other}.nats:6222`, `127.0.0.1:${this.ports[other].route}`),
      here,
    );
  }
}

/** An authority and a certificate for this machine, under the names of a cert-manager secret. Returns the folder. */
function makeCertificates(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=authority',
    '-days',
    '1',
  );
  openssl('req', '-new', ...key, '-keyout', 'tls.key', '-out', 'tls.csr', '-subj', '/CN=nats');
  writeFileSync(
    path.join(folder, 'names'),
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
  );
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '1'];
  openssl('x509', '-req', '-in', 'tls.csr', '-out', 'tls.crt', ...signed);
  return folder;
}

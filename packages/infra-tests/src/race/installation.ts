import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ServiceName } from '@agentclash/contracts';
import { freePort, type PostgresServer } from '@agentclash/embedded';
import { waitFor } from '@agentclash/testkit';
import { dataOf, environmentOf } from '../environment/resolve.js';
import type { Container, Manifest, PodSpec } from '../manifests/manifest.js';
import { pidWithin, type Runtime, startContainer } from './container.js';
import { type Bus, podOf, startBus, startDatabase } from './servers.js';

/** In the order of their dependencies; they stop in reverse order. */
export const SERVICES: readonly ServiceName[] = [
  'run-orchestrator',
  'pack-registry',
  'secrets-vault',
  'scoring',
  'sandbox-executor',
  'gateway',
];

export interface InstallationOptions {
  manifests: readonly Manifest[];
  /** The folder of all data, which the user of PostgreSQL can traverse. */
  folder: string;
  /** The root and the defaults of the containers of each service. */
  runtimeOf: (service: ServiceName) => Runtime;
  /** Variables that a cluster adds to pods. */
  fromCluster?: Partial<Record<ServiceName, Record<string, string>>>;
  mounts?: Partial<Record<ServiceName, Record<string, string>>>;
  /** Local ports of servers that the manifests refer to but do not contain, by address. */
  elsewhere?: Readonly<Record<string, number>>;
}

/** The time that the startup probes allow. */
const READY_MS_MAX = 300_000;

interface RunningService {
  container: ChildProcess;
  healthPort: number;
  metricsPort: number;
  lines: string[];
}

/**
 * An overlay without a cluster: PostgreSQL and nats-server as its manifests configure them, and the containers of its
 * pods as processes, with their environment, volumes and commands. Only the addresses of services in the cluster and the
 * ports that pods have in common are replaced, by addresses and free ports of this machine.
 */
export class Installation {
  readonly running = new Map<ServiceName, RunningService>();
  readonly httpPort: number;

  private constructor(
    private readonly options: InstallationOptions,
    readonly postgres: PostgresServer,
    readonly bus: Bus,
    httpPort: number,
  ) {
    this.httpPort = httpPort;
  }

  /** Starts the servers; nothing is migrated yet. */
  static async open(
    options: InstallationOptions,
    log: (line: string) => void = () => {},
  ): Promise<Installation> {
    const { manifests, folder } = options;
    mkdirSync(path.join(folder, 'volumes'), { recursive: true });
    const postgres = await startDatabase(manifests, folder, log);
    try {
      return new Installation(options, postgres, await startBus(manifests, folder, log), await freePort());
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  /** The folder of this machine in the place of a claim's volume. */
  static volumeIn(folder: string, claim: string): string {
    return path.join(folder, 'volumes', claim);
  }

  /** Runs the migration of each service to its end, as its job would; returns the output. */
  async migrate(): Promise<string[]> {
    const output: string[] = [];
    for (const service of SERVICES.filter((name) => name !== 'sandbox-executor')) {
      const pod = podOf(this.options.manifests, `migrate-${service}`);
      const { container, lines } = await this.#launch(service, pod, pod.containers[0]);
      const [code] = (await once(container, 'close')) as [number | null];
      if (code !== 0) throw new Error(`migrate-${service} ended with ${code}:\n${lines.join('\n')}`);
      output.push(...lines);
    }
    return output;
  }

  /** Starts the pod of each service, its init containers first. Resolves when all are ready. */
  async start(services: readonly ServiceName[] = SERVICES): Promise<void> {
    await Promise.all(services.map((service) => this.#startService(service)));
  }

  /** Stops a service as a node stops a pod. Returns its exit code. */
  async stop(service: ServiceName): Promise<number | null> {
    const running = this.running.get(service);
    this.running.delete(service);
    if (running === undefined || running.container.exitCode !== null)
      return running?.container.exitCode ?? null;
    const ended = once(running.container, 'exit') as Promise<[number | null]>;
    process.kill(pidWithin(running.container), 'SIGTERM');
    const [code] = await ended;
    return code;
  }

  async close(): Promise<void> {
    for (const service of SERVICES.toReversed()) await this.stop(service);
    await this.bus.server.stop();
    await this.postgres.stop();
  }

  /** The response of `/readyz` of a service; undefined while it does not respond. */
  async readiness(service: ServiceName): Promise<{ status: number; body: unknown } | undefined> {
    const port = this.running.get(service)?.healthPort;
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }

  /** The text of `/metrics` of a service. */
  async figures(service: ServiceName): Promise<string> {
    const port = this.running.get(service)?.metricsPort;
    return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  }

  async #startService(service: ServiceName): Promise<void> {
    const pod = podOf(this.options.manifests, service);
    for (const init of pod.initContainers ?? []) {
      const { container, lines } = await this.#launch(service, pod, init);
      const [code] = (await once(container, 'close')) as [number | null];
      if (code !== 0) throw new Error(`${service}/${init.name} ended with ${code}:\n${lines.join('\n')}`);
    }
    const started = await this.#launch(service, pod, pod.containers[0]);
    this.running.set(service, started);
    const { container, lines } = started;
    const isReady = async () =>
      container.exitCode !== null || (await this.readiness(service))?.status === 200;
    await waitFor(isReady, { timeoutMs: READY_MS_MAX });
    if (container.exitCode !== null) {
      throw new Error(`${service} ended with ${container.exitCode}:\n${lines.slice(-20).join('\n')}`);
    }
  }

  async #launch(
    service: ServiceName,
    pod: PodSpec,
    container: Container | undefined,
  ): Promise<RunningService> {
    if (container === undefined) throw new Error(`${service} has no container`);
    const { manifests, fromCluster, mounts, runtimeOf } = this.options;
    const { values, elsewhere } = environmentOf(manifests, container);
    const missing = elsewhere.filter(({ isOptional }) => !isOptional);
    if (missing.length > 0)
      throw new Error(`${service}: no ${missing.map(({ secret, key }) => `${secret}/${key}`)}`);
    const healthPort = await freePort();
    const metricsPort = await freePort();
    const launched = startContainer({
      runtime: runtimeOf(service),
      command: container.command,
      environment: {
        ...this.#here(values, { HEALTH_PORT: healthPort, METRICS_PORT: metricsPort }),
        ...fromCluster?.[service],
      },
      mounts: { ...this.#volumes(service, pod, container), ...mounts?.[service] },
      isTmpWritable: container.volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') ?? false,
    });
    const lines: string[] = [];
    for (const stream of [launched.stdout, launched.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => lines.push(line));
    }
    return { container: launched, healthPort, metricsPort, lines };
  }

  #here(
    values: Readonly<Record<string, string>>,
    ownPorts: Readonly<Record<string, number>>,
  ): Record<string, string> {
    const addresses = {
      ...this.options.elsewhere,
      'nats:4222': this.bus.server.port,
      'postgres:5432': this.postgres.port,
    };
    const ports: Readonly<Record<string, number>> = { ...ownPorts, HTTP_PORT: this.httpPort };
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const port = ports[name];
        const text = Object.entries(addresses).reduce(
          (so, [address, own]) => so.replaceAll(address, `127.0.0.1:${own}`),
          value,
        );
        return [name, port === undefined ? text : String(port)];
      }),
    );
  }

  /** The container's volumes as folders: one per claim, and one per secret of each service. */
  #volumes(service: ServiceName, pod: PodSpec, container: Container): Record<string, string> {
    return Object.fromEntries(
      (container.volumeMounts ?? []).flatMap(({ name, mountPath }) => {
        const volume = pod.volumes?.find((known) => known.name === name);
        if (volume?.emptyDir !== undefined) return [];
        const claim = volume?.persistentVolumeClaim?.claimName;
        const folder = Installation.volumeIn(this.options.folder, claim ?? `${service}-${name}`);
        mkdirSync(folder, { recursive: true });
        const secret = volume?.secret?.secretName;
        const files = secret === undefined ? {} : dataOf(this.options.manifests, 'Secret', secret);
        for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
        return [[mountPath, folder]];
      }),
    );
  }
}

import type { ServiceName } from '@agentclash/contracts';
import {
  checkReadiness,
  type Readiness,
  type RunningService,
  type StartOptions,
} from '@agentclash/service-kit';
import { type Environment, LOADERS } from './services.js';

export type Environments = Readonly<Record<ServiceName, Environment>>;

/** Whoever hands out work stops last, so that what is being finished can still be reported. */
const STOP_ORDER: readonly ServiceName[] = [
  'gateway',
  'sandbox-executor',
  'scoring',
  'run-orchestrator',
  'secrets-vault',
  'pack-registry',
];

/** The services that run in this process. */
export class ServiceGroup {
  private constructor(private readonly services: readonly RunningService[]) {}

  /** Starts all of them, or none: fails as the first that did not start. */
  static async start(
    names: readonly ServiceName[],
    environments: Environments,
    logTo: NonNullable<StartOptions['logTo']>,
  ): Promise<ServiceGroup> {
    const options = { logTo, processName: 'agentclash' };
    const loaded = [];
    for (const name of names) loaded.push({ name, start: await LOADERS[name]() });
    const started = await Promise.allSettled(
      loaded.map(async ({ name, start }) => await start(environments[name], options)),
    );
    const group = new ServiceGroup(
      started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    );
    const failed = started.find((result) => result.status === 'rejected');
    if (failed === undefined) return group;
    await group.close();
    throw failed.reason;
  }

  /** Where the gateway serves; undefined where it is not among them. */
  get url(): string | undefined {
    const gateway = this.services.find(({ name }) => name === 'gateway');
    return gateway !== undefined && 'url' in gateway && typeof gateway.url === 'string'
      ? gateway.url
      : undefined;
  }

  /** Ports of the health endpoints, by service. */
  get health(): Record<string, number> {
    return Object.fromEntries(this.services.map(({ name, healthPort }) => [name, healthPort]));
  }

  async status(): Promise<Record<string, Readiness>> {
    const entries = this.services.map(
      async ({ name, readiness }) => [name, await checkReadiness(readiness)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Drains these of the services, or all. Safe to call again. */
  async close(names: readonly ServiceName[] = STOP_ORDER): Promise<void> {
    for (const name of STOP_ORDER) {
      if (names.includes(name)) await this.services.find((service) => service.name === name)?.close();
    }
  }
}

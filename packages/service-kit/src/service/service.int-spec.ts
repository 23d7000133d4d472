import { BusConnection, Listener, Subscribes } from '@agentclash/bus';
import { event } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { z } from 'zod';
import { readConfig, serviceEnvironment } from '../config.js';
import { ReadinessChecks } from '../health.js';
import { PeriodicTask } from '../periodic-task.js';
import { createLogger } from '../telemetry/logging.js';
import { type RunningService, startService } from './service.js';

const nats = await freshNats();
const config = readConfig(z.object(serviceEnvironment), { NATS_URL: nats.url, LOG_LEVEL: 'fatal' });

const finished = event('tests.v1.finished', { input: z.object({}) });

const steps: string[] = [];
const stops: (() => void)[] = [];
let stopWork: () => void;
let stopped: Promise<void>;
let handling: () => void;
let handled: Promise<void>;
beforeEach(() => {
  steps.length = 0;
  stopped = new Promise((resolve) => {
    stopWork = resolve;
    stops.push(resolve);
  });
  handled = new Promise((resolve) => {
    handling = resolve;
  });
});

/** Handles an event until the service stops its background work. */
@Listener()
class SlowListener {
  @Subscribes(finished, 'each')
  async onFinished() {
    handling();
    await stopped;
    steps.push('handler ended');
  }
}

@Injectable()
class Resource {
  private isOpen = true;

  constructor(checks: ReadinessChecks) {
    checks.add('resource', () => (this.isOpen ? undefined : 'closed'));
  }

  async use() {
    await Promise.resolve();
    steps.push(this.isOpen ? 'background work ended' : 'resource used after its release');
  }

  onApplicationShutdown() {
    this.isOpen = false;
    steps.push('resource released');
  }
}

@Injectable()
class BackgroundWork extends PeriodicTask {
  constructor(private readonly resource: Resource) {
    super({
      run: async (signal) => {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        await this.resource.use();
        stopWork();
      },
      everyMs: 60_000,
      firstRun: 'immediate',
      failureMessage: 'test task failed',
      logger: createLogger('tests', 'fatal'),
    });
  }
}

@Module({ controllers: [SlowListener], providers: [BackgroundWork, Resource] })
class FeatureModule {}

class ServiceModule {}

describe('a service', () => {
  const services: RunningService[] = [];
  afterAll(async () => {
    for (const stop of stops) stop();
    for (const service of services) await service.close();
  });

  async function start(): Promise<RunningService> {
    const module = { module: ServiceModule, imports: [FeatureModule] };
    const service = await startService({ name: 'gateway', module }, config);
    services.push(service);
    return service;
  }

  test('shutdown ends background work, then running handlers, then releases resources', async () => {
    const service = await start();
    service.app.get(BusConnection).nats.publish(finished.subject, '{}');
    await handled;
    await service.close();
    expect(steps).toEqual(['background work ended', 'handler ended', 'resource released']);
  }, 5_000);

  test('the readiness checks that providers add are served beside the check of the bus', async () => {
    const service = await start();
    const response = await fetch(`http://127.0.0.1:${service.healthPort}/readyz`);
    expect(await response.json()).toEqual({ ready: true, parts: { bus: 'ok', resource: 'ok' } });
  });
});

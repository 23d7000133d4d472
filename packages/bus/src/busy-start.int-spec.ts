import { job } from '@agentclash/contracts';
import { freshNats } from '@agentclash/testkit';
import { expect, test } from '@jest/globals';
import type { JetStreamManager } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { BusConnection, BusServer, Handles, provisionStreams, type Serves } from './index.js';

const jobs = {
  clean: job('scoring.v1.clean', { input: z.object({}), ackWaitMs: 1_000, deliveriesMax: 3 }),
};

@Handles(jobs)
class JobHandlers implements Serves<typeof jobs> {
  async clean() {}
}

@Module({ controllers: [JobHandlers] })
class TestModule {}

const server = await freshNats();

/** Whose first calls to create a consumer fail with the given errors, after the server has created it. */
function failing(manager: JetStreamManager, errors: Error[]): JetStreamManager {
  const consumers = Object.create(manager.consumers, {
    add: {
      value: async (...args: Parameters<JetStreamManager['consumers']['add']>) => {
        const info = await manager.consumers.add(...args);
        const error = errors.shift();
        if (error !== undefined) throw error;
        return info;
      },
    },
  });
  return Object.create(manager, { consumers: { value: consumers } });
}

async function startWith(errors: Error[]): Promise<number> {
  const connection = await BusConnection.open({ servers: [server.url], name: 'scoring' });
  const manager = await connection.jetstreamManager();
  await provisionStreams(manager);
  connection.jetstreamManager = async () => failing(manager, errors);
  const strategy = new BusServer(connection, { concurrency: 1 });
  const app = await NestFactory.createMicroservice(TestModule, {
    ...{ strategy, logger: false, abortOnError: false },
  });
  try {
    await app.listen();
    return (await strategy.queues()).length;
  } finally {
    await app.close();
    await connection.close();
  }
}

test('a service starts on a server that replies to the creation of a consumer too late', async () => {
  const errors = [new TimeoutError(), new TimeoutError()];
  expect(await startWith(errors)).toBe(1);
  expect(errors).toEqual([]);
});

test('a service does not start where the server refuses a consumer', async () => {
  await expect(startWith([new Error('permissions violation')])).rejects.toThrow('permissions violation');
});

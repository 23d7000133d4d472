import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type NatsServer, startNats } from '@agentclash/embedded';
import { afterAll } from '@jest/globals';
import { tapBus } from './bus-tap.js';

/** The folder for recordings of all messages, set by `pnpm recordings`. */
const RECORDINGS = process.env.AGENTCLASH_BUS_RECORDINGS;

export interface FreshNatsOptions {
  /** Text of a nats-server configuration: accounts, users, permissions. Default: no authorization. */
  config?: string;
  /** Path of a configuration instead. */
  configFile?: string;
  /** Values for the configuration's `$VARIABLES`. */
  env?: Record<string, string>;
}

/**
 * A nats-server with JetStream for the calling spec file alone, ended after it. Call at the top level of an
 * `*.int-spec.ts`: `const nats = await freshNats();`
 */
export async function freshNats({ config, configFile, env }: FreshNatsOptions = {}): Promise<NatsServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'agentclash-test-nats-'));
  let server: NatsServer | undefined;
  let stopTap: (() => Promise<void>) | undefined;
  afterAll(async () => {
    await stopTap?.();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const written = config === undefined ? configFile : path.join(dataDir, 'nats.conf');
  if (config !== undefined && written) await writeFile(written, config);
  server = await startNats({ dataDir, configFile: written, env, log: () => {} });
  const isOpen = config === undefined && configFile === undefined;
  if (RECORDINGS && isOpen)
    stopTap = await tapBus(server.url, path.join(RECORDINGS, `${randomUUID()}.ndjson`));
  return server;
}

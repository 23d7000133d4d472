import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { EXECUTORS, type Fleet, type MemberName } from '../fleet/fleet.js';
import type { LinkState } from '../fleet/tcp-proxy.js';
import type { Randomness } from './plan.js';
import { killSandbox } from './remains.js';
import type { SmallDisk } from './small-disk.js';

/** Targets of fault injection. */
export interface FaultContext {
  fleet: Fleet;
  /** JetStream's; undefined where none can be mounted. */
  disk: SmallDisk | undefined;
  random: Randomness;
}

/** The target of a fault is not there: nothing was injected. */
export class TargetNotFound extends Error {}

/** A kind of fault injection. */
export interface Fault {
  /** How long what it breaks stays broken, in seconds. */
  seconds: readonly [least: number, most: number];
  /** Breaks something, and restores it after so many seconds. Fails with `TargetNotFound`. */
  run: (context: FaultContext, seconds: number) => Promise<void>;
  /** The share of attempts that may have finished before; default: most. */
  latest?: number;
  /** True when others may be injected before it is restored. */
  isLasting?: boolean;
  /** True when deliveries that are under way may be lost with it. */
  losesDeliveries?: boolean;
  /** True when this machine lets it happen. */
  isPossible?: (context: Pick<FaultContext, 'disk'>) => boolean;
}

const SHORT = [0.5, 6] as const;
/** Longer than a lease, so that others take over what is worked on behind the partition. */
const LONGER_THAN_A_LEASE = [50, 70] as const;
const LATENCY_MS = 150;

const KINDS = {
  gateway: killing(() => 'gateway'),
  'pack-registry': killing(() => 'pack-registry'),
  'run-orchestrator': killing(() => 'run-orchestrator'),
  'secrets-vault': killing(() => 'secrets-vault'),
  scoring: killing(() => 'scoring'),
  executor: { ...killing((random) => random.one(EXECUTORS)), losesDeliveries: true },
  'executor-stopped': { ...ending('stop', (random) => random.one(EXECUTORS)), losesDeliveries: true },
  sandbox: {
    seconds: [0, 0],
    losesDeliveries: true,
    latest: 0.1,
    run: async ({ fleet }) => {
      if (!(await killSandbox(fleet.executorPids))) throw new TargetNotFound();
    },
  },
  'nats-server': {
    seconds: SHORT,
    run: async ({ fleet }, seconds) => {
      fleet.killNats();
      await pause(seconds);
      await fleet.startNats();
    },
  },
  postgres: {
    seconds: SHORT,
    run: async ({ fleet }, seconds) => {
      fleet.killPostgres();
      await pause(seconds);
      await fleet.startPostgres();
    },
  },
  everything: {
    seconds: SHORT,
    losesDeliveries: true,
    run: async ({ fleet }, seconds) => await blackout(fleet, () => pause(seconds)),
  },
  'everything-for-an-hour': {
    seconds: [0, 0],
    losesDeliveries: true,
    run: async ({ fleet }) => await blackout(fleet, () => letAnHourPass(fleet)),
  },
  'connections-reset': {
    seconds: SHORT,
    run: async (context, seconds) => await disturbLink('cut', context, seconds),
  },
  partition: {
    seconds: LONGER_THAN_A_LEASE,
    isLasting: true,
    latest: 0.4,
    losesDeliveries: true,
    run: async (context, seconds) => await disturbLink('stalled', context, seconds),
  },
  'slow-database': {
    seconds: [5, 12],
    run: async ({ fleet }, seconds) => {
      fleet.databaseLink.latencyMs = LATENCY_MS;
      await pause(seconds);
      fleet.databaseLink.latencyMs = 0;
    },
  },
  'full-disk': {
    seconds: [3, 8],
    isPossible: ({ disk }) => disk !== undefined,
    run: async ({ fleet, disk }, seconds) => {
      disk?.fill();
      await pause(seconds);
      disk?.empty();
      // A nats-server whose disk was full leaves JetStream switched off until it is started again.
      fleet.killNats();
      await pause(0.5);
      await fleet.startNats();
    },
  },
} as const satisfies Record<string, Fault>;
export type FaultKind = keyof typeof KINDS;
export const FAULTS: Readonly<Record<FaultKind, Fault>> = KINDS;
export const FAULT_KINDS = Object.keys(KINDS) as FaultKind[];

function killing(victim: (random: Randomness) => MemberName): Fault {
  return ending('kill', victim);
}

/** `stop` ends the process in order, as a roll-out does. */
function ending(how: 'kill' | 'stop', victim: (random: Randomness) => MemberName): Fault {
  return {
    seconds: SHORT,
    run: async ({ fleet, random }, seconds) => {
      const member = fleet.member(victim(random));
      await member[how]();
      await pause(seconds);
      await member.start();
    },
  };
}

/** Kills all there is. During `meanwhile` the servers run, without clients. */
async function blackout(fleet: Fleet, meanwhile: () => Promise<void>): Promise<void> {
  const members = [...fleet.members.values()];
  fleet.killNats();
  fleet.killPostgres();
  await Promise.all(members.map((member) => member.kill()));
  await Promise.all([fleet.startPostgres(), fleet.startNats()]);
  await meanwhile();
  await Promise.all(members.map((member) => member.start()));
}

async function disturbLink(how: LinkState, { fleet, random }: FaultContext, seconds: number): Promise<void> {
  const link = fleet.busLink(random.one(EXECUTORS));
  link.become(how);
  await pause(seconds);
  link.become('open');
}

async function pause(seconds: number): Promise<void> {
  await delay(seconds * 1_000);
}

/** Where leases, claims and what is due are kept: the services that act by the clock, and their schemas. */
const CLOCKED = [
  ['run-orchestrator', 'runs'],
  ['scoring', 'scoring'],
] as const;

/** A recorded event keeps its moment: it is evidence, and an attempt of other evidence is scored again. */
const RECORDS = ['events'];

/** Moves every moment that these services act by an hour into the past, as if so much time had gone by. */
async function letAnHourPass(fleet: Fleet): Promise<void> {
  for (const [service, schema] of CLOCKED) await shift(fleet.databaseUrl(service), schema);
}

async function shift(connectionString: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // A server that ends meanwhile fails the query, and that error is reported.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT format('%I.%I', table_schema, table_name) AS table, array_agg(quote_ident(column_name)::text) AS columns
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = $1 AND data_type = 'timestamp with time zone' AND table_type = 'BASE TABLE'
          AND table_name NOT LIKE '\\_%' AND table_name <> ALL ($2)
        GROUP BY 1`,
      [schema, RECORDS],
    );
    for (const { table, columns } of rows) {
      const moves = columns.map((column) => `${column} = ${column} - interval '1 hour'`);
      await client.query(`UPDATE ${table} SET ${moves.join(', ')}`);
    }
  } finally {
    await client.end();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const CONNECT_MS = 10_000;
const RETRY_MS = 1_000;
/** A job's own deadline is longer: the log of this attempt then has the reason. */
const WAIT_MS_MAX = 10 * 60_000;

/** Of the network: no listener, name or route yet. */
const NOT_REACHED = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
]);
/** Of PostgreSQL: starting or stopping, and out of connections. */
const NOT_READY = /^(57P0[1-3]|53300)$/;
/** Of the driver, which has no codes for them. */
const BROKEN_OFF = /^Connection terminated|timeout expired|timeout exceeded/;

export interface AwaitOptions {
  databaseUrl: string;
  /** One line when it begins to wait, and one for each other reason. */
  log: (line: string) => void;
  waitMsMax?: number;
}

/**
 * Resolves when the database takes a connection. In a first installation it starts beside the jobs and pods that need
 * it. Throws what will not become better by waiting, such as a wrong password, at once, and anything after the maximum.
 */
async function awaitDatabase({ databaseUrl, log, waitMsMax = WAIT_MS_MAX }: AwaitOptions): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  let waitedFor = '';
  for (;;) {
    const error = await connectionError(databaseUrl);
    if (error === undefined) return;
    if (!isPassing(error) || performance.now() > deadline) throw error;
    const reason = reasonOf(error);
    if (reason !== waitedFor) log(`waiting for the database: ${reason}`);
    waitedFor = reason;
    await delay(RETRY_MS);
  }
}

/** The result of the work, which is begun again when its connection was lost: it must change nothing by halves. */
export async function withDatabase<T>(options: AwaitOptions, work: () => Promise<T>): Promise<T> {
  const { log, waitMsMax = WAIT_MS_MAX } = options;
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    await awaitDatabase({ ...options, waitMsMax: deadline - performance.now() });
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && isPassing(error)) || performance.now() > deadline) throw error;
      log(`the connection to the database was lost: ${reasonOf(error)}`);
      await delay(RETRY_MS);
    }
  }
}

async function connectionError(connectionString: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {}); // of a connection that breaks between its opening and its end
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client.end().catch(() => {});
  }
}

/** A name with several addresses fails with an error that has theirs. */
function isPassing(error: Error): boolean {
  if (error instanceof AggregateError)
    return error.errors.every((each) => each instanceof Error && isPassing(each));
  const { code = '' } = error as { code?: string };
  return NOT_REACHED.has(code) || NOT_READY.test(code) || BROKEN_OFF.test(error.message);
}

function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}

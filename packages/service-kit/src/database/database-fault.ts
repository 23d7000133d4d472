import { ContractError } from '@agentclash/contracts';

/** Of Prisma: not reached, timed out, closed, no connection free in time, transaction lost. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
/** Of Prisma's driver adapters. */
const ADAPTER_KINDS = new Set<string | undefined>([
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TlsConnectionError'],
  ...['TooManyConnections', 'TransactionWriteConflict', 'TransactionAlreadyClosed'],
]);
/** Of PostgreSQL: connection exceptions, shutting down, starting, out of connections, disk or memory, serialization. */
const SQLSTATES = /^(08...|57P0[1-5]|53...|40001|40P01|25006)$/;
/** Of the driver, which has no codes for them. */
const MESSAGES =
  /connection error and is not queryable|^Connection terminated|timeout exceeded when trying to connect/;

/** `unavailable` when the database is away or will take the same request later; nothing for any other error. */
export function databaseFault(error: unknown): ContractError | undefined {
  if (!(error instanceof Error) || !isPassing(error)) return undefined;
  return new ContractError('unavailable', 'The database is away. Try again shortly.', {}, { cause: error });
}

function isPassing(error: Error): boolean {
  if (MESSAGES.test(error.message)) return true;
  const { code } = error as { code?: string };
  if (error.name.startsWith('PrismaClient') && PRISMA_CODES.has(code ?? '')) return true;
  const said = saidByDriver(error);
  return ADAPTER_KINDS.has(said?.kind) || SQLSTATES.test(stateOf(said) ?? '');
}

/** The SQLSTATE that Postgres refused a statement with; nothing when the error is of another kind. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof Error ? stateOf(saidByDriver(error)) : undefined;
}

/** What the driver adapter said, be it of a statement of ours or, in Prisma's words, of a model's. */
interface Said {
  kind?: string;
  originalCode?: string;
  code?: string;
}

function saidByDriver(error: Error): Said | undefined {
  if (error.name === 'DriverAdapterError') return error.cause as Said;
  if (!error.name.startsWith('PrismaClient')) return undefined;
  return (error as { meta?: { driverAdapterError?: { cause?: Said } } }).meta?.driverAdapterError?.cause;
}

function stateOf(said: Said | undefined): string | undefined {
  return said?.originalCode ?? said?.code;
}

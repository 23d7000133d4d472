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
/** Messages of the driver, for errors without a code. */
const MESSAGES =
  /connection error and is not queryable|^Connection terminated|timeout exceeded when trying to connect/;

/** `unavailable` when the database is unreachable or would accept the same request later; nothing for any other error. */
export function classifyDatabaseError(error: unknown): ContractError | undefined {
  if (!(error instanceof Error) || !isTransient(error)) return undefined;
  return new ContractError(
    'unavailable',
    'The database is unavailable. Try again shortly.',
    {},
    { cause: error },
  );
}

function isTransient(error: Error): boolean {
  if (MESSAGES.test(error.message)) return true;
  const { code } = error as { code?: string };
  if (error.name.startsWith('PrismaClient') && PRISMA_CODES.has(code ?? '')) return true;
  const driverError = driverErrorOf(error);
  return ADAPTER_KINDS.has(driverError?.kind) || SQLSTATES.test(stateOf(driverError) ?? '');
}

/** The SQLSTATE of a statement that Postgres rejected; nothing for an error of another kind. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof Error ? stateOf(driverErrorOf(error)) : undefined;
}

/** The driver adapter's error, of a direct statement or wrapped by Prisma. */
interface DriverError {
  kind?: string;
  originalCode?: string;
  code?: string;
}

function driverErrorOf(error: Error): DriverError | undefined {
  if (error.name === 'DriverAdapterError') return error.cause as DriverError;
  if (!error.name.startsWith('PrismaClient')) return undefined;
  return (error as { meta?: { driverAdapterError?: { cause?: DriverError } } }).meta?.driverAdapterError
    ?.cause;
}

function stateOf(driverError: DriverError | undefined): string | undefined {
  return driverError?.originalCode ?? driverError?.code;
}

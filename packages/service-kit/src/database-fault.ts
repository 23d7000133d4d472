import { ContractError } from '@agentclash/contracts';

/** Of Prisma: not reached, timed out, closed, no connection free in time, transaction lost. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
/** Of Prisma's driver adapters. */
const ADAPTER_KINDS = new Set([
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TlsConnectionError'],
  ...['TooManyConnections', 'TransactionWriteConflict'],
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
  if (!error.name.startsWith('PrismaClient')) return false;
  const { code, meta } = error as PrismaError;
  const cause = meta?.driverAdapterError?.cause;
  const sqlState = cause?.originalCode ?? cause?.code ?? '';
  return PRISMA_CODES.has(code ?? '') || ADAPTER_KINDS.has(cause?.kind ?? '') || SQLSTATES.test(sqlState);
}

interface PrismaError extends Error {
  code?: string;
  meta?: { driverAdapterError?: { cause?: { kind?: string; originalCode?: string; code?: string } } };
}

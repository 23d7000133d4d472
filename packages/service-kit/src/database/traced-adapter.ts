import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlQueryable,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { inSpanOfTrace } from '../telemetry/spans.js';

/** Statements carry placeholders, so their text reveals no values; a long list of placeholders is cut. */
const STATEMENT_CHARACTERS_MAX = 1_000;

/** Receives the lifecycle events of an adapter. */
export interface AdapterListener {
  opened(transaction: Transaction): void;
  disposed(): void;
}

/** The statements by which the engine ends a transaction. */
const END_STATEMENTS = new Set(['COMMIT', 'ROLLBACK']);

class TracedQueries<Q extends SqlQueryable> {
  readonly provider: Q['provider'];
  readonly adapterName: Q['adapterName'];

  constructor(protected readonly inner: Q) {
    this.provider = inner.provider;
    this.adapterName = inner.adapterName;
  }

  queryRaw(query: SqlQuery) {
    return inStatement(query.sql, () => this.inner.queryRaw(query));
  }

  executeRaw(query: SqlQuery) {
    return inStatement(query.sql, () => this.inner.executeRaw(query));
  }
}

/** Records every statement of traced work as a span of its trace. */
export class TracedAdapter extends TracedQueries<SqlDriverAdapter> implements SqlDriverAdapter {
  constructor(
    inner: SqlDriverAdapter,
    private readonly listener: AdapterListener,
  ) {
    super(inner);
  }

  executeScript(script: string) {
    return this.inner.executeScript(script);
  }

  async startTransaction(isolationLevel?: IsolationLevel) {
    const inner = await inStatement('BEGIN', () => this.inner.startTransaction(isolationLevel));
    const transaction = new TracedTransaction(inner);
    this.listener.opened(transaction);
    return transaction;
  }

  getConnectionInfo() {
    return this.inner.getConnectionInfo?.() ?? { supportsRelationJoins: false };
  }

  dispose() {
    this.listener.disposed();
    return this.inner.dispose();
  }
}

/**
 * A transaction that rejects statements after its end, also after an end by timeout: its connection may belong to another
 * transaction by then.
 */
class TracedTransaction extends TracedQueries<Transaction> implements Transaction {
  readonly options: Transaction['options'];
  private isEnded = false;

  constructor(inner: Transaction) {
    super(inner);
    this.options = inner.options;
  }

  override queryRaw(query: SqlQuery) {
    return this.unlessEnded(query, () => super.queryRaw(query));
  }

  override executeRaw(query: SqlQuery) {
    return this.unlessEnded(query, () => super.executeRaw(query));
  }

  commit() {
    return inStatement('COMMIT', () => this.inner.commit());
  }

  rollback() {
    return inStatement('ROLLBACK', () => this.inner.rollback());
  }

  async createSavepoint(name: string) {
    await this.inner.createSavepoint?.(name);
  }

  async rollbackToSavepoint(name: string) {
    await this.inner.rollbackToSavepoint?.(name);
  }

  async releaseSavepoint(name: string) {
    await this.inner.releaseSavepoint?.(name);
  }

  private async unlessEnded<T>({ sql }: SqlQuery, work: () => Promise<T>): Promise<T> {
    if (this.isEnded) {
      throw new DriverAdapterError({ kind: 'TransactionAlreadyClosed', cause: 'It took too long.' });
    }
    this.isEnded = END_STATEMENTS.has(sql);
    return await work();
  }
}

async function inStatement<T>(sql: string, work: () => Promise<T>): Promise<T> {
  const operation = /\w+/.exec(sql)?.[0].toUpperCase() ?? 'STATEMENT';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': sql.slice(0, STATEMENT_CHARACTERS_MAX),
  };
  return await inSpanOfTrace(operation, { kind: 'CLIENT', attributes }, work);
}

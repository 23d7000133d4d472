import {
  DriverAdapterError,
  type IsolationLevel,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlQueryable,
  type Transaction,
} from '@prisma/driver-adapter-utils';
import { inSpanOfTrace } from '../telemetry/spans.js';

/** Statements carry placeholders, so their text says nothing of the values; long lists of them say nothing at all. */
const STATEMENT_CHARACTERS_MAX = 1_000;

/** Is told what becomes of an adapter. */
export interface AdapterWatcher {
  opened(transaction: Transaction): void;
  disposed(): void;
}

/** What ends a transaction: the engine's own words. */
const LAST_WORDS = new Set(['COMMIT', 'ROLLBACK']);

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

/** Has every statement of a traced piece of work be a span of its trace. */
export class TracedAdapter extends TracedQueries<SqlDriverAdapter> implements SqlDriverAdapter {
  constructor(
    inner: SqlDriverAdapter,
    private readonly watcher: AdapterWatcher,
  ) {
    super(inner);
  }

  executeScript(script: string) {
    return this.inner.executeScript(script);
  }

  async startTransaction(isolationLevel?: IsolationLevel) {
    const inner = await inStatement('BEGIN', () => this.inner.startTransaction(isolationLevel));
    const transaction = new TracedTransaction(inner);
    this.watcher.opened(transaction);
    return transaction;
  }

  getConnectionInfo() {
    return this.inner.getConnectionInfo?.() ?? { supportsRelationJoins: false };
  }

  dispose() {
    this.watcher.disposed();
    return this.inner.dispose();
  }
}

/**
 * A transaction that takes nothing more once it was told to end, as it is when it takes too long: its connection may be
 * another's by then.
 */
class TracedTransaction extends TracedQueries<Transaction> implements Transaction {
  readonly options: Transaction['options'];
  private isOver = false;

  constructor(inner: Transaction) {
    super(inner);
    this.options = inner.options;
  }

  override queryRaw(query: SqlQuery) {
    return this.unlessOver(query, () => super.queryRaw(query));
  }

  override executeRaw(query: SqlQuery) {
    return this.unlessOver(query, () => super.executeRaw(query));
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

  private async unlessOver<T>({ sql }: SqlQuery, work: () => Promise<T>): Promise<T> {
    if (this.isOver) {
      throw new DriverAdapterError({ kind: 'TransactionAlreadyClosed', cause: 'It took too long.' });
    }
    this.isOver = LAST_WORDS.has(sql);
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

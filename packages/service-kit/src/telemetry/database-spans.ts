import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { inSpanOfTrace } from './spans.js';

/** Statements carry placeholders, so their text says nothing of the values; long lists of them say nothing at all. */
const STATEMENT_CHARACTERS_MAX = 1_000;

/** Has every statement of a traced piece of work be a span of its trace. */
export function tracedDatabase(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => new TracedAdapter(await factory.connect()) };
}

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

class TracedAdapter extends TracedQueries<SqlDriverAdapter> implements SqlDriverAdapter {
  executeScript(script: string) {
    return this.inner.executeScript(script);
  }

  async startTransaction(isolationLevel?: IsolationLevel) {
    const transaction = await inStatement('BEGIN', () => this.inner.startTransaction(isolationLevel));
    return new TracedTransaction(transaction);
  }

  getConnectionInfo() {
    return this.inner.getConnectionInfo?.() ?? { supportsRelationJoins: false };
  }

  dispose() {
    return this.inner.dispose();
  }
}

class TracedTransaction extends TracedQueries<Transaction> implements Transaction {
  readonly options: Transaction['options'];

  constructor(inner: Transaction) {
    super(inner);
    this.options = inner.options;
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

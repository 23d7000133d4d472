import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database.js';
import { Prisma } from '../../generated/client.js';
import { refuseInUse, USERS_SHOWN, type Users } from './resource-errors.js';

/** One slice of a workspace's resources, newest first. */
export interface ListQuery {
  workspaceId: string;
  name?: string | undefined;
  /** The last id of the slice before. */
  after?: string | undefined;
  take: number;
}

interface ReadRows<Row> {
  findFirst(query: { where: { workspaceId: string; id: string } }): PromiseLike<Row | null>;
  findMany(query: { where: object; orderBy: { id: 'desc' }; take: number }): PromiseLike<Row[]>;
}

/** The columns with the actors who created and updated a row. */
export interface Authors {
  createdBy: string;
  updatedBy: string;
}

interface WrittenRows<Row, Columns, Authored> extends ReadRows<Row> {
  create(query: { data: Columns & Authored & { id: string; workspaceId: string } }): PromiseLike<Row>;
  update(query: {
    where: { id: string };
    data: Columns & Partial<Authored> & { updatedAt: Date };
  }): PromiseLike<Row>;
  deleteMany(query: { where: { id: string } }): PromiseLike<unknown>;
}

/** The rows of one kind of resource that belongs to a workspace and has a name. */
@Injectable()
export abstract class ResourceStore<Row, Item> {
  constructor(protected readonly db: Database) {}

  protected abstract rows(db: Transaction): ReadRows<Row>;
  protected abstract asItem(row: Row): Item;

  async find(workspaceId: string, id: string): Promise<Item | undefined> {
    const row = await this.rows(this.db).findFirst({ where: { workspaceId, id } });
    return row === null ? undefined : this.asItem(row);
  }

  /** Newest first; with these values in the columns of the filter. */
  async list({ workspaceId, name, after, take }: ListQuery, filter: object = {}): Promise<Item[]> {
    const where = {
      workspaceId,
      ...(name !== undefined && { name }),
      ...(after !== undefined && { id: { lt: after } }),
      ...filter,
    };
    const rows = await this.rows(this.db).findMany({ where, orderBy: { id: 'desc' }, take });
    return rows.map((row) => this.asItem(row));
  }
}

interface NewResource<Spec> {
  id?: string | undefined;
  workspaceId: string;
  spec: Spec;
  /** Absent where the table does not record who wrote. */
  actor?: string | undefined;
}

/** A store whose resources are replaced whole and may be removed when nothing refers to them. */
@Injectable()
export abstract class EditableResourceStore<
  Row,
  Item extends { id: string },
  Spec,
  Columns extends object,
  Authored extends Authors | object = Authors,
> extends ResourceStore<Row, Item> {
  protected abstract readonly table: string;

  protected abstract override rows(db: Transaction): WrittenRows<Row, Columns, Authored>;
  protected abstract columns(spec: Spec): Columns;
  protected abstract findUsers(tx: Transaction, id: string): Promise<Users>;

  async create({ id = newId(), workspaceId, spec, actor }: NewResource<Spec>): Promise<Item> {
    const authors = (actor === undefined ? {} : { createdBy: actor, updatedBy: actor }) as Authored;
    const data = { id, workspaceId, ...this.columns(spec), ...authors };
    return this.asItem(await this.rows(this.db).create({ data }));
  }

  async replace({ id }: Item, spec: Spec, actor?: string): Promise<Item> {
    return await this.update(this.db, id, { spec, actor });
  }

  /** Fails with `conflict` while something refers to it. */
  async remove(id: string, what: string): Promise<void> {
    await this.db.$transaction(async (tx) => {
      refuseInUse(what, await this.lockUsers(tx, id));
      await this.rows(tx).deleteMany({ where: { id } });
    });
  }

  protected async update(
    db: Transaction,
    id: string,
    { spec, actor }: Pick<NewResource<Spec>, 'spec' | 'actor'>,
  ) {
    const author = (actor === undefined ? {} : { updatedBy: actor }) as Partial<Authored>;
    const data = { ...this.columns(spec), updatedAt: new Date(), ...author };
    return this.asItem(await this.rows(db).update({ where: { id }, data }));
  }

  /**
   * The resources that refer to it. A writer of a new reference waits until the transaction ends, and then finds what
   * is left.
   */
  protected async lockUsers(tx: Transaction, id: string): Promise<Users> {
    await tx.$queryRaw(Prisma.sql`SELECT 1 FROM ${Prisma.raw(this.table)} WHERE id = ${id}::uuid FOR UPDATE`);
    return await this.findUsers(tx, id);
  }
}

/** The names of some active deployments. */
export async function activeDeployments(
  tx: Transaction,
  where: Prisma.DeploymentWhereInput,
): Promise<string[]> {
  const users = await tx.deployment.findMany({
    where: { ...where, status: 'active' },
    select: { name: true },
    take: USERS_SHOWN,
  });
  return users.map(({ name }) => name);
}

import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

/** A key with the data of the request that used it first. */
export interface KeyRecord {
  fingerprint: string;
  heldUntil: Date;
  createdAt: Date;
  /** Null until there is a response. */
  status: number | null;
  sealed: Uint8Array | null;
}

export interface Hold {
  owner: string;
  key: string;
  fingerprint: string;
  heldUntil: Date;
}

@Injectable()
export class IdempotencyStore {
  constructor(private readonly db: Database) {}

  /** True when the key was free and this request holds it now. */
  async hold(hold: Hold): Promise<boolean> {
    const { count } = await this.db.idempotencyKey.createMany({ data: [hold], skipDuplicates: true });
    return count === 1;
  }

  async find(owner: string, key: string): Promise<KeyRecord | undefined> {
    return (await this.db.idempotencyKey.findUnique({ where: { owner_key: { owner, key } } })) ?? undefined;
  }

  /** Takes a key over from a dead holder; whether this caller won it. */
  async takeOver(hold: Hold, from: KeyRecord): Promise<boolean> {
    const { owner, key, ...fresh } = hold;
    const { count } = await this.db.idempotencyKey.updateMany({
      where: { owner, key, heldUntil: from.heldUntil },
      data: { ...fresh, status: null, sealed: null, createdAt: new Date() },
    });
    return count === 1;
  }

  /** Stores the response, unless another request has taken the key over meanwhile. */
  async finish({ owner, key, heldUntil }: Hold, status: number, sealed: Uint8Array): Promise<void> {
    const data = { status, sealed: new Uint8Array(sealed) };
    await this.db.idempotencyKey.updateMany({ where: { owner, key, heldUntil }, data });
  }

  async release({ owner, key, heldUntil }: Hold): Promise<void> {
    await this.db.idempotencyKey.deleteMany({ where: { owner, key, heldUntil, status: null } });
  }

  async deleteBefore(moment: Date): Promise<number> {
    const { count } = await this.db.idempotencyKey.deleteMany({ where: { createdAt: { lt: moment } } });
    return count;
  }
}

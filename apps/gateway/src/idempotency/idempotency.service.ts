import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { type Hold, IdempotencyStore, type KeyRecord } from './idempotency.store.js';

const RETENTION_MS = 24 * 3_600_000;
/** Longer than any creating request takes; after it another request may take the key over. */
const HOLD_MS = 60_000;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface KeyedRequest {
  caller: Caller;
  key: string;
  /** Of the request; see `fingerprintOf`. */
  fingerprint: string;
}

export interface JsonResponse {
  status: number;
  body: unknown;
}

/** The request's `Idempotency-Key`, if it has one. Fails with `invalid_input`. */
export function idempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ContractError('invalid_input', 'Idempotency-Key must be 1 to 255 visible ASCII characters.', {
    errors: [
      {
        code: 'malformed',
        field: 'Idempotency-Key',
        message: 'must be 1 to 255 visible ASCII characters without blanks',
      },
    ],
  });
}

/**
 * Identifies equal requests of a caller. Keyed with the caller's token, so that stored fingerprints cannot be tested
 * against guessed bodies.
 */
export function fingerprintOf({ privateKey }: Caller, ...parts: (string | Uint8Array)[]): string {
  const hash = createHmac('sha256', privateKey());
  for (const part of parts) hash.update(String(part.length)).update(':').update(part);
  return hash.digest('hex');
}

/** Processes a request with an `Idempotency-Key` once, and returns the first response to repeats for a day. */
@Injectable()
export class Idempotency {
  constructor(private readonly store: IdempotencyStore) {}

  /**
   * A failure is not stored: nothing was created, so the key is free again. Fails with `idempotency_key_reused`, and
   * with `conflict` while the first request still runs.
   */
  async once(
    request: KeyedRequest,
    work: () => Promise<JsonResponse>,
  ): Promise<JsonResponse & { isRepeat: boolean }> {
    const { caller, key, fingerprint } = request;
    const { owner } = caller;
    const context = `${owner}/${key}`;
    const hold = { owner, key, fingerprint, heldUntil: new Date(Date.now() + HOLD_MS) };
    const known = await this.hold(hold);
    if (known !== undefined) {
      return {
        status: known.status,
        body: openResponse(known.sealed, caller.privateKey(), context),
        isRepeat: true,
      };
    }
    try {
      const response = await work();
      await this.store.finish(
        hold,
        response.status,
        sealResponse(response.body, caller.privateKey(), context),
      );
      return { ...response, isRepeat: false };
    } catch (error) {
      await this.store.release(hold);
      throw error;
    }
  }

  /** Undefined when this request holds the key now, else the first response. */
  private async hold(hold: Hold): Promise<{ status: number; sealed: Uint8Array } | undefined> {
    if (await this.store.hold(hold)) return undefined;
    const known = await this.store.find(hold.owner, hold.key);
    if (known === undefined) return await this.hold(hold);
    const { status, sealed } = known;
    if (!isExpired(known)) {
      if (known.fingerprint !== hold.fingerprint) throw reused(hold.key);
      if (status !== null && sealed !== null) return { status, sealed };
      if (known.heldUntil.getTime() > Date.now()) throw stillRunning();
    }
    if (await this.store.takeOver(hold, known)) return undefined;
    throw stillRunning();
  }
}

function isExpired({ createdAt }: KeyRecord): boolean {
  return Date.now() - createdAt.getTime() > RETENTION_MS;
}

function reused(key: string): ContractError {
  return new ContractError('idempotency_key_reused', `The key "${key}" was used for another request.`);
}

function stillRunning(): ContractError {
  return new ContractError('conflict', 'The first request with this key is still in progress. Try again.');
}

/** Encrypts a stored response (it may hold a token) under its caller's own key, bound to `context`. */
export function sealResponse(response: unknown, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(JSON.stringify(response)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Throws for another key, another context, or altered bytes. */
export function openResponse(sealed: Uint8Array, key: Buffer, context: string): unknown {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context)).setAuthTag(tag);
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString());
}

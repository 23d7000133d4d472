import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Bus } from '@agentclash/bus';
import { ContractError, type Out, packs } from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type PutBytes, ReceivedBytes } from '../artifacts/received-bytes.js';
import type { Caller } from '../http/caller.js';
import { packEmpty } from '../http/request-body.js';
import { RouteResponse } from '../http/route-response.js';
import { fingerprintOf, Idempotency, idempotencyKey } from '../idempotency/idempotency.service.js';
import { type ReceivedPack, receivePack, type TakeFile } from './pack-form.js';

/** The origin of a pack, and its target. */
export interface PackSource {
  request: FastifyRequest;
  workspaceId: string;
  caller: Caller;
  strict: boolean;
  /** To be stored as a draft. */
  draft?: boolean;
}

/** Packs from forms, with files beside them. The registry receives references to the files, never bytes. */
@Injectable()
export class PacksService {
  constructor(
    private readonly bus: Bus,
    private readonly received: ReceivedBytes,
    private readonly idempotency: Idempotency,
  ) {}

  /** Stores nothing for longer than the validation, which reads data files from the blob store. */
  async validate(source: PackSource, document: Buffer | undefined): Promise<Out<typeof packs.validate>> {
    if (document) return await this.bus.call(packs.validate, requestOf(source, { document, files: [] }));
    return await this.received.discardAfter(async (put) => {
      const take: TakeFile = async (content, max, name) =>
        isDataFile(name) ? (await put(content, max)).sha256 : await hashOf(content, max);
      return await this.bus.call(packs.validate, requestOf(source, await receivePack(source.request, take)));
    });
  }

  async publish(source: PackSource, document: Buffer | undefined): Promise<RouteResponse> {
    if (document) return await this.publishReceived(source, { document, files: [] });
    return await this.received.discardOnFailure((put) => this.publishForm(source, put));
  }

  private async publishForm(source: PackSource, put: PutBytes): Promise<RouteResponse> {
    const { request, caller } = source;
    const key = idempotencyKey(request);
    const pack = await receivePack(request, async (content, max) => (await put(content, max)).sha256);
    if (key === undefined) return await this.publishReceived(source, pack);
    const files = pack.files.flatMap(({ path, sha256 }) => [path, sha256]);
    const fingerprint = fingerprintOf(caller, request.method, request.url, pack.document, ...files);
    const once = await this.idempotency.once({ caller, key, fingerprint }, async () => {
      const { content, options } = await this.publishReceived(source, pack);
      return { status: options.status ?? 201, body: content };
    });
    const headers: Record<string, string> = once.isRepeat ? { 'idempotency-replayed': 'true' } : {};
    return new RouteResponse(once.body as object, { status: once.status, headers });
  }

  private async publishReceived(source: PackSource, pack: ReceivedPack): Promise<RouteResponse> {
    const { caller, draft = false } = source;
    const request = { ...requestOf(source, pack), actor: caller.name, draft };
    const published = await this.bus.call(packs.publish, request);
    return new RouteResponse(published, { status: published.created ? 201 : 200 });
  }
}

function requestOf({ workspaceId, strict }: PackSource, { document, files }: ReceivedPack) {
  if (document.length === 0) throw packEmpty();
  return { workspace_id: workspaceId, document_base64: document.toString('base64'), files, strict };
}

/** True for the endings of files whose rows may be cases. */
function isDataFile(name: string): boolean {
  return /\.(?:jsonl|ndjson|json|csv|tsv|parquet)$/i.test(name);
}

/** The sha256 of bytes that are not stored. Fails with `too_large` beyond `bytesMax`. */
async function hashOf(content: Readable, bytesMax: number): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new ContractError('too_large', `A file may hold at most ${formatBytes(bytesMax)}.`);
    hash.update(chunk);
  }
  return hash.digest('hex');
}

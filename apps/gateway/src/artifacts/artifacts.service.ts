import type { Readable } from 'node:stream';
import { Bus } from '@agentclash/bus';
import { type Artifact, artifacts } from '@agentclash/contracts';
import { Blobs, type ByteRange } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.js';
import { fingerprintOf, Idempotency, idempotencyKey } from '../idempotency/idempotency.service.js';
import { byteRange, entityTag } from './file-headers.js';
import { type PutBytes, ReceivedBytes, receiveFile } from './received-bytes.js';
import { type FileAddress, SignedUrls } from './signed-urls.js';

/** Headers of a request: `Range` and `If-Range`. */
interface RequestedPart {
  range: string | undefined;
  known: string | undefined;
}

interface OpenFile {
  artifact: Artifact;
  content: Readable;
  part: ByteRange | undefined;
}

@Injectable()
export class ArtifactsService {
  constructor(
    private readonly bus: Bus,
    private readonly blobs: Blobs,
    private readonly urls: SignedUrls,
    private readonly idempotency: Idempotency,
    private readonly received: ReceivedBytes,
  ) {}

  /** Stores the file of a request. Equal bytes under the same name are one artifact. */
  async upload(request: FastifyRequest, workspaceId: string, caller: Caller): Promise<Artifact> {
    return await this.received.discardOnFailure((put) =>
      this.uploadWith(put, request, { workspaceId, caller }),
    );
  }

  private async uploadWith(
    put: PutBytes,
    request: FastifyRequest,
    { workspaceId, caller }: { workspaceId: string; caller: Caller },
  ): Promise<Artifact> {
    const key = idempotencyKey(request);
    const { sha256, bytes, name, mediaType } = await receiveFile(request, put);
    const register = () =>
      this.bus.call(artifacts.register, {
        workspace_id: workspaceId,
        sha256,
        bytes,
        name,
        media_type: mediaType,
        actor: caller.name,
      });
    if (key === undefined) return await register();
    const fingerprint = fingerprintOf(caller, request.method, request.url, sha256, name);
    const { body } = await this.idempotency.once({ caller, key, fingerprint }, async () => ({
      status: 201,
      body: await register(),
    }));
    return body as Artifact;
  }

  async get(file: FileAddress): Promise<Artifact & { content_url: string }> {
    return { ...(await this.find(file)), content_url: this.urls.sign(file) };
  }

  /** The bytes, or the requested range of them, unless `If-Range` names other bytes. */
  async open(file: FileAddress, { range, known }: RequestedPart): Promise<OpenFile> {
    const artifact = await this.find(file);
    const isOther = known !== undefined && known !== entityTag(artifact);
    const part = isOther ? undefined : byteRange(range, artifact.bytes);
    return { artifact, part, content: await this.blobs.artifacts.open(artifact.sha256, part) };
  }

  /** Fails with `not_found`. */
  private async find({ workspaceId, artifactId }: FileAddress): Promise<Artifact> {
    const request = { workspace_id: workspaceId, artifact_ids: [artifactId] };
    const [artifact] = (await this.bus.call(artifacts.getMany, request)).items;
    if (artifact === undefined) throw new TypeError('the registry replied without the artifact');
    return artifact;
  }
}

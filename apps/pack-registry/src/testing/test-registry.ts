import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { Bus, BusConnection } from '@agentclash/bus';
import { type Out, type PackFile, packs } from '@agentclash/contracts';
import { Blobs, newId, type RunningService } from '@agentclash/service-kit';
import { registryConfig, startPackRegistry } from '../index.js';

/** Specs must not fail because a busy machine reads documents slowly. */
const REPLY_MS_MAX = 240_000;

/** The workspace of a document, and the files with it. */
interface From {
  workspaceId?: string;
  files?: PackFile[];
  draft?: boolean;
}

/** A registry on a real database and bus, with the gateway's requests. */
export class TestRegistry {
  readonly workspaceId = newId();

  private constructor(
    private readonly service: RunningService,
    private readonly connection: BusConnection,
    readonly bus: Bus,
    /** The folder of the blob store. */
    readonly folder: string,
    readonly blobs: Blobs,
  ) {}

  static async start(urls: { database: string; nats: string }): Promise<TestRegistry> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-registry-'));
    const environment = { DATABASE_URL: urls.database, NATS_URL: urls.nats, BLOB_FOLDER: folder };
    const logTo = new Writable({ write: (_chunk, _encoding, done) => done() });
    const service = await startPackRegistry(registryConfig(environment), { logTo });
    const connection = await BusConnection.open({ servers: [urls.nats], name: 'gateway' });
    return new TestRegistry(service, connection, new Bus(connection), folder, await Blobs.inFolder(folder));
  }

  publish(text: string, { workspaceId = this.workspaceId, files = [], draft = false }: From = {}) {
    const request = {
      ...{ workspace_id: workspaceId, document_base64: base64(text), files, draft },
      actor: 'tests',
    };
    return this.bus.call(packs.publish, request, REPLY_MS_MAX);
  }

  validate(
    text: string,
    { workspaceId = this.workspaceId, files = [] }: From = {},
  ): Promise<Out<typeof packs.validate>> {
    const request = { workspace_id: workspaceId, document_base64: base64(text), files };
    return this.bus.call(packs.validate, request, REPLY_MS_MAX);
  }

  /** Stores an uploaded file as the gateway does. */
  async file(name: string, content: string | Buffer): Promise<PackFile> {
    const { sha256 } = await this.blobs.artifacts.put(content);
    return { path: name, sha256 };
  }

  async close(): Promise<void> {
    await this.connection.close();
    await this.service.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

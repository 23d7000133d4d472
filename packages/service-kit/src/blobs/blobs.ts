import path from 'node:path';
import type { BlobSettings } from './blob-settings.js';
import type { BlobStore } from './blob-store.js';
import { FolderBlobs } from './folder-blobs.js';

/**
 * The stored bytes of an installation, in two areas that share nothing, not even equal bytes: artifacts, which users may
 * delete, and evidence, which is deleted with the runs that refer to it.
 */
export class Blobs {
  private constructor(
    readonly artifacts: BlobStore,
    readonly evidence: BlobStore,
    private readonly release: () => void,
  ) {}

  static async open(settings: BlobSettings): Promise<Blobs> {
    if (settings.kind === 's3') {
      // Loaded on demand: a folder needs no S3 client.
      const { S3Blobs } = await import('./s3-blobs.js');
      const { s3Client } = await import('./s3-client.js');
      const client = s3Client(settings);
      const area = (name: string) =>
        new S3Blobs(client, { ...settings, prefix: `${settings.prefix}${name}/` });
      return new Blobs(area('artifacts'), area('evidence'), () => client.destroy());
    }
    return await Blobs.inFolder(settings.folder);
  }

  static async inFolder(folder: string): Promise<Blobs> {
    const artifacts = new FolderBlobs(path.join(folder, 'artifacts'));
    const evidence = new FolderBlobs(path.join(folder, 'evidence'));
    await Promise.all([artifacts.sweep(), evidence.sweep()]);
    return new Blobs(artifacts, evidence, () => undefined);
  }

  /** A readiness check: fails when the bytes cannot be reached. */
  async ping(): Promise<void> {
    await Promise.all([this.artifacts.ping(), this.evidence.ping()]);
  }

  close(): void {
    this.release();
  }

  /** Nest's lifecycle hook. */
  onApplicationShutdown(): void {
    this.close();
  }
}

import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './blob-settings.js';

const CONNECT_MS_MAX = 3_000;
/** A server that says nothing for so long is away. */
const SILENCE_MS_MAX = 20_000;
const TRIES = 4;
/** What goes wrong is thrown; the client's own remarks would go past our log. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client that gives up in bounded time, and works with servers that know the core of the protocol only. */
export function s3Client({ endpoint, region, forcePathStyle, credentials }: S3Settings): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    maxAttempts: TRIES,
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, socketTimeout: SILENCE_MS_MAX },
    // The newer default signs trailers, which many compatible servers refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  });
}

function ignore(): void {}

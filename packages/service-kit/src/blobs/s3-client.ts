import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from './blob-settings.js';

const CONNECT_MS_MAX = 3_000;
/** A server that sends nothing for this long counts as unavailable. */
const SILENCE_MS_MAX = 20_000;
const TRIES = 4;
/** Errors are thrown; the client's own log lines would bypass the service's logger. */
const SILENT = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client that fails in bounded time, and works with servers that implement only the core of the protocol. */
export function s3Client({ endpoint, region, forcePathStyle, credentials }: S3Settings): S3Client {
  return new S3Client({
    region,
    forcePathStyle,
    maxAttempts: TRIES,
    logger: SILENT,
    requestHandler: { connectionTimeout: CONNECT_MS_MAX, socketTimeout: SILENCE_MS_MAX },
    // The newer default signs trailers, which many compatible servers reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
  });
}

function ignore(): void {}

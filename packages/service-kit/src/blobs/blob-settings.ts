import { tmpdir } from 'node:os';
import { z } from 'zod';
import { flag } from '../config.js';

/** The location of stored bytes. */
export type BlobSettings = { kind: 'folder'; folder: string } | S3Settings;

export interface S3Settings {
  kind: 's3';
  bucket: string;
  /** In front of every key; empty or with a slash at its end. */
  prefix: string;
  region: string;
  /** Default: that of AWS for the region. */
  endpoint?: string | undefined;
  forcePathStyle: boolean;
  /** Default: what the AWS variables, profile, web identity or instance role of the process give. */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The folder where streams of unknown length are buffered until their sha256 is known. */
  spoolFolder: string;
}

const bucket = z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket');
const prefix = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*\/?$/, 'must be letters, digits, "._-" and slashes between')
  .transform((text) => (text.endsWith('/') ? text : `${text}/`));

const Variables = z.object({
  BLOB_STORE: z.enum(['folder', 's3']).default('folder'),
  BLOB_FOLDER: z.string().optional(),
  S3_BUCKET: bucket.optional(),
  S3_PREFIX: prefix.optional(),
  S3_REGION: z.string().optional(),
  AWS_REGION: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// url' }).optional(),
  S3_FORCE_PATH_STYLE: flag.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  BLOB_SPOOL_FOLDER: z.string().default(tmpdir()),
});
type Variables = z.infer<typeof Variables>;

/** The environment of every service that reads or stores bytes, parsed to `blobs`; the same for all of them. */
export const BlobEnvironment = Variables.transform((given, context): { blobs: BlobSettings } => {
  const problems = problemsOf(given);
  for (const [variable, message] of Object.entries(problems)) {
    context.addIssue({ code: 'custom', path: [variable], message });
  }
  return { blobs: settingsOf(given) };
});

function problemsOf(given: Variables): Record<string, string> {
  if (given.BLOB_STORE === 'folder') {
    return given.BLOB_FOLDER === undefined
      ? { BLOB_FOLDER: 'must be the folder of the blob store, or BLOB_STORE=s3' }
      : {};
  }
  const { S3_BUCKET, S3_REGION, AWS_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = given;
  const needsRegion = [S3_REGION, AWS_REGION, S3_ENDPOINT].every((value) => value === undefined);
  return {
    ...(S3_BUCKET === undefined && { S3_BUCKET: 'must be set for BLOB_STORE=s3' }),
    ...(needsRegion && { S3_REGION: 'must be set for BLOB_STORE=s3 without S3_ENDPOINT' }),
    ...(S3_ACCESS_KEY_ID !== undefined &&
      S3_SECRET_ACCESS_KEY === undefined && { S3_SECRET_ACCESS_KEY: 'must be set with S3_ACCESS_KEY_ID' }),
    ...(S3_ACCESS_KEY_ID === undefined &&
      S3_SECRET_ACCESS_KEY !== undefined && { S3_ACCESS_KEY_ID: 'must be set with S3_SECRET_ACCESS_KEY' }),
  };
}

function settingsOf(given: Variables): BlobSettings {
  if (given.BLOB_STORE === 'folder') return { kind: 'folder', folder: given.BLOB_FOLDER ?? '' };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  return {
    kind: 's3',
    bucket: given.S3_BUCKET ?? '',
    prefix: given.S3_PREFIX ?? '',
    // Servers that are not AWS take any region that is signed consistently.
    region: given.S3_REGION ?? given.AWS_REGION ?? 'us-east-1',
    endpoint: given.S3_ENDPOINT,
    forcePathStyle: given.S3_FORCE_PATH_STYLE ?? given.S3_ENDPOINT !== undefined,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey },
    spoolFolder: given.BLOB_SPOOL_FOLDER,
  };
}

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface S3Request {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface S3Response {
  status: number;
  /** Of an error. */
  code?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

interface BucketState {
  readonly bucket: string;
  readonly credentials: { readonly accessKeyId: string };
  readonly objects: Map<string, Buffer>;
  readonly storedAt: Map<string, Date>;
}

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/s3\/aws4_request, ?SignedHeaders=[^,]+, ?Signature=[0-9a-f]{64}$/;

const LISTED_MAX = 2;

type Verb = (key: string, state: BucketState, request: S3Request) => S3Response;

const VERBS: Record<string, Verb> = {
  PUT: put,
  GET: get,
  HEAD: (key, state, request) => {
    const { status, headers, body } = get(key, state, request);
    const modified = { 'last-modified': (state.storedAt.get(key) ?? new Date()).toUTCString() };
    return {
      status,
      headers: { ...headers, ...(body && { 'content-length': String(body.length), ...modified }) },
    };
  },
  DELETE: (key, { objects }) => {
    objects.delete(key);
    return { status: 204 };
  },
};

/** The response of S3. Signatures are checked for their form and their key, not recomputed. */
export function responseTo(request: S3Request, state: BucketState): S3Response {
  const { method, headers } = request;
  const credential = SIGNED.exec(headers.authorization ?? '')?.[1];
  if (credential !== state.credentials.accessKeyId) return { status: 403, code: 'AccessDenied' };
  const { pathname } = new URL(request.url, 'http://s3');
  const [, bucket = '', ...rest] = decodeURIComponent(pathname).split('/');
  if (bucket !== state.bucket) return { status: 404, code: 'NoSuchBucket' };
  const key = rest.join('/');
  if (key === '')
    return method === 'GET' ? list(request.url, state) : { status: method === 'HEAD' ? 200 : 501 };
  return VERBS[method]?.(key, state, request) ?? { status: 405, code: 'MethodNotAllowed' };
}

function put(key: string, { objects, storedAt }: BucketState, { headers, body }: S3Request): S3Response {
  if (headers['content-length'] === undefined) return { status: 411, code: 'MissingContentLength' };
  const sha256 = createHash('sha256').update(body).digest();
  const announced = String(headers['x-amz-content-sha256']);
  if (announced !== 'UNSIGNED-PAYLOAD' && announced !== sha256.toString('hex')) {
    return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  }
  const sum = headers['x-amz-checksum-sha256'];
  if (sum !== undefined && sum !== sha256.toString('base64')) return { status: 400, code: 'BadDigest' };
  objects.set(key, body);
  storedAt.set(key, new Date());
  return { status: 200, headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } };
}

function get(key: string, { objects }: BucketState, { headers }: S3Request): S3Response {
  const whole = objects.get(key);
  if (whole === undefined) return { status: 404, code: 'NoSuchKey' };
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
  if (range === null) return { status: 200, body: whole };
  const [start, end] = [Number(range[1]), Math.min(Number(range[2]), whole.length - 1)];
  if (start > end) return { status: 416, code: 'InvalidRange' };
  const contentRange = `bytes ${start}-${end}/${whole.length}`;
  return { status: 206, headers: { 'content-range': contentRange }, body: whole.subarray(start, end + 1) };
}

/** ListObjectsV2, two objects a page: every caller has to read on. */
function list(url: string, { objects, storedAt }: BucketState): S3Response {
  const query = new URL(url, 'http://s3').searchParams;
  if (query.get('list-type') !== '2') return { status: 501 };
  const after = query.get('continuation-token') ?? '';
  const prefix = query.get('prefix') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, LISTED_MAX);
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>${(storedAt.get(key) ?? new Date()).toISOString()}</LastModified>` +
      `<Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
  );
  const isTruncated = keys.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const xml =
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>` +
    `${next}${contents.join('')}</ListBucketResult>`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) };
}

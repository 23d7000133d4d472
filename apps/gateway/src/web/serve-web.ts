import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isScreenAddress } from './screen-address.js';

const PAGE = '/index.html';
/** Files of other kinds are not served. */
const EXTENSIONS: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg', '.txt', '.woff2']);

/**
 * Serves the web app at every address without a route: its files, compressed where the build has compressed them, and
 * its page for screens, whose addresses only the app can resolve. False when the folder holds no built app.
 */
export async function serveWeb(http: FastifyInstance, folder: string): Promise<boolean> {
  const entityTags = await readEntityTags(folder);
  if (!entityTags.has(PAGE)) return false;
  await http.register(fastifyStatic, {
    root: path.resolve(folder),
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // Of content, not of size and time: those of two builds may be equal, as packaging resets times.
    etag: false,
    lastModified: false,
    // The entity tag is the same for every content coding: parts of two codings could be combined.
    acceptRanges: false,
  });
  http.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    onSend: (_request, reply, payload, done) => {
      // The plugin's registry predates RFC 9239.
      const type = String(reply.getHeader('content-type') ?? '');
      if (type.startsWith('application/javascript'))
        reply.header('content-type', 'text/javascript; charset=utf-8');
      done(null, payload);
    },
    handler: (request, reply) => {
      const file = fileOf(entityTags, request);
      const entityTag = file && entityTags.get(file);
      if (file === undefined || entityTag === undefined) reply.callNotFound();
      else send({ file, entityTag }, request, reply);
    },
  });
  return true;
}

/** The entity tag of each file that is served, by its address. No other address reaches the disk. */
async function readEntityTags(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await namesIn(folder)).filter((name) => EXTENSIONS.has(path.extname(name)));
  const files = names.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(path.join(folder, name)));
    const entityTag = `"${digest.digest('base64url').slice(0, 27)}"`;
    return [`/${name.replaceAll(path.sep, '/')}`, entityTag] as const;
  });
  return new Map(await Promise.all(files));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(files: ReadonlyMap<string, string>, { url, headers }: FastifyRequest): string | undefined {
  const [address = '/'] = url.split('?');
  if (files.has(address)) return address;
  const isPage = address === '/' || (isScreenAddress(address) && /\btext\/html\b/.test(headers.accept ?? ''));
  return isPage ? PAGE : undefined;
}

interface WebFile {
  /** Its address. */
  file: string;
  entityTag: string;
}

function send({ file, entityTag }: WebFile, { headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...webHeaders(file), vary: 'accept-encoding', etag: entityTag });
  // A cache may send several, and mark those weak whose content it compressed itself.
  if (headers['if-none-match']?.includes(entityTag)) void reply.status(304).send();
  else void reply.sendFile(file.slice(1));
}

/** The page loads from this origin alone, runs no inline code, and cannot be framed. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types agentclash-worker',
].join('; ');

/**
 * Workers have a policy of their own. The one that checks packs compiles their JSON Schemas to code: it may
 * evaluate, and in return it can reach neither the network nor the page.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'unsafe-eval'";

const A_YEAR = 'public, max-age=31536000, immutable';

/** Headers of a file of the web app, besides those of every response. */
function webHeaders(address: string): Record<string, string> {
  const isWorker = address.startsWith('/workers/');
  return {
    // Built files have their hash in their name.
    'cache-control': isWorker || address.startsWith('/assets/') ? A_YEAR : 'no-cache',
    'content-security-policy': isWorker ? WORKER_POLICY : PAGE_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}

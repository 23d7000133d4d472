import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding } from './accepted-coding.js';
import { isScreenAddress } from './screen-address.js';
import { type Coding, readWebFiles, type WebFile, type WebFiles } from './web-files.js';
import { webHeaders } from './web-headers.js';

const PAGE = '/index.html';

/**
 * Serves the web app at every address that nothing else is served at: its files, and its page for the screens, whose
 * addresses only the app knows. False when the folder holds no built app.
 */
export async function serveWeb(http: FastifyInstance, folder: string): Promise<boolean> {
  const files = await readWebFiles(folder);
  if (files === null) return false;
  http.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => {
      const [address = '/'] = request.url.split('?');
      const found = findFile(files, address, request);
      if (found === undefined) reply.callNotFound();
      else send(found, request, reply);
    },
  });
  return true;
}

interface Found {
  address: string;
  file: WebFile;
}

function findFile(files: WebFiles, address: string, { headers }: FastifyRequest): Found | undefined {
  const file = files.get(address);
  if (file !== undefined) return { address, file };
  const page = files.get(PAGE);
  const isScreen =
    address === '/' || (isScreenAddress(address) && /\btext\/html\b/.test(headers.accept ?? ''));
  return isScreen && page !== undefined ? { address: PAGE, file: page } : undefined;
}

function send({ address, file }: Found, { headers, method }: FastifyRequest, reply: FastifyReply): void {
  const coding = acceptedCoding(headers['accept-encoding']?.toString(), Object.keys(file.packed) as Coding[]);
  const bytes = (coding === null ? undefined : file.packed[coding]) ?? file.bytes;
  void reply.headers({
    ...webHeaders(address),
    'content-type': file.mediaType,
    etag: file.etag,
    vary: 'accept-encoding',
    ...(coding !== null && { 'content-encoding': coding }),
  });
  // A cache may name several, and mark as weak what it packed anew.
  if (headers['if-none-match']?.includes(file.etag)) void reply.status(304).send();
  else if (method === 'HEAD') void reply.header('content-length', bytes.length).send();
  else void reply.send(bytes);
}

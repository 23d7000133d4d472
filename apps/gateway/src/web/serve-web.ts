import path from 'node:path';
import { type WebAsset, WebAssets, webHeaders } from '@agentclash/web-assets';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Serves the web app at every address without a route: its files, compressed where the build has compressed them, and
 * its page for screens, whose addresses only the app can resolve. False when the folder holds no built app.
 */
export async function serveWeb(http: FastifyInstance, folder: string): Promise<boolean> {
  const assets = await WebAssets.read(folder);
  if (assets === undefined) return false;
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
      const asset = assets.at(request.url, request.headers.accept);
      if (asset === undefined) reply.callNotFound();
      else send(asset, request, reply);
    },
  });
  return true;
}

function send({ file, entityTag }: WebAsset, { headers }: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...webHeaders(file), vary: 'accept-encoding', etag: entityTag });
  // A cache may send several, and mark those weak whose content it compressed itself.
  if (headers['if-none-match']?.includes(entityTag)) void reply.status(304).send();
  else void reply.sendFile(file.slice(1));
}

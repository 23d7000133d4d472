import type { Role } from '@agentclash/domain';
import type { z } from 'zod';

/**
 * Who may use a route: every client, every holder of a token (or a signed URL) for it, a role in the workspace, or the
 * operator of the installation.
 */
export type RouteAccess = 'public' | 'signed' | 'any_token' | Role | 'operator';

/** JSON by its schema, a challenge pack (its bytes, or a form with the files beside it), or one file as a form. */
export type RequestBody = z.ZodType | 'pack' | 'upload';
/** Media types of a challenge pack that is the whole body; JSON is YAML too. */
export const PACK_MEDIA_TYPES = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/json',
] as const;

/** JSON by its schema, nothing, bytes, a run in the format of the query, an HTML page, or the live events of a run. */
export type ResponseBody = z.ZodType | 'none' | 'bytes' | 'export' | 'page' | 'event_stream';

/** One operation of the HTTP API, from which it is served, called and documented. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Variable parts in braces; `{ws}` is a workspace's id or slug. */
  readonly path: `/${string}`;
  readonly access: RouteAccess;
  /** The operator may use it too, in any workspace. */
  readonly operatorMay?: boolean;
  /** A summary for the documentation. */
  readonly summary: string;
  /** Rules of path parameters whose values users choose; a violation is `invalid_input`. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: RequestBody;
  readonly response: ResponseBody;
  /** Of success. */
  readonly status: number;
  /** Other statuses of success, with their meaning. */
  readonly also?: Readonly<Record<number, string>>;
  /** When its status is 409, besides for an idempotency key that was used for another request. */
  readonly conflicts?: string;
  /** It creates something: `Idempotency-Key` is honoured. */
  readonly creates?: boolean;
}

/** The operations of one resource, by name. */
export type RouteGroup = Readonly<Record<string, Route>>;

/** Declares a route; the value keeps its literal types. */
export function route<const R extends Route>(declaration: R): R {
  return declaration;
}

type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The variable parts of a route's path. */
export type PathParams<R extends Route> = { [Name in Names<R['path']>]: string };

/** The query as a caller writes it. */
export type QueryInput<R extends Route> = R extends { query: infer Q extends z.ZodObject }
  ? z.input<Q>
  : Record<never, never>;
/** The query as a server reads it, defaults filled. */
export type QueryOutput<R extends Route> = R extends { query: infer Q extends z.ZodObject }
  ? z.output<Q>
  : Record<never, never>;

/** A file to upload; `name` is the listed name. */
export interface Upload {
  file: Blob;
  name: string;
  /** Called with the number of bytes sent so far, form included. Only where `fetch` sends streams, as Node's does. */
  onProgress?: (bytes: number) => void;
}

/** A challenge pack's document. */
export type PackDocument = Uint8Array | string | Blob;

/** A pack with the files beside it, each named by the `path` of its assets. */
export interface PackWithFiles {
  bundle: PackDocument;
  files: readonly Upload[];
  /** As that of an upload, for all of them. */
  onProgress?: ((bytes: number) => void) | undefined;
}

export type BodyInput<R extends Route> = R extends { body: infer B }
  ? B extends z.ZodType
    ? z.input<B>
    : B extends 'pack'
      ? PackDocument | PackWithFiles
      : Upload
  : undefined;
/** The JSON body as a server reads it, defaults filled. */
export type BodyOutput<R extends Route> = R extends { body: infer B extends z.ZodType }
  ? z.output<B>
  : undefined;

/** The response that a server returns. */
export type ResponseInput<R extends Route> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : undefined;
/** The result of a call: the JSON value, nothing, or the response itself where the body is a stream. */
export type ResponseOutput<R extends Route> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : R['response'] extends 'none'
    ? undefined
    : Response;

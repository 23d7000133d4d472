import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** One operation of the served document. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  access: string;
  /** Content types of its body, if it has one. */
  bodies: string[];
  /** Declared statuses, `default` left out. */
  statuses: number[];
  /** Names of the members that its JSON body may have. */
  members: string[];
}

export interface ApiRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** JSON, unless it is text, bytes or a form. */
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what it is, the served schema has judged.
  body: any;
}

interface JsonSchema {
  $ref?: string;
  properties?: Record<string, unknown>;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

interface Described {
  operationId: string;
  'x-access': string;
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

/** Calls the API as its own document describes it, and checks every response against that document. */
export class ApiDriver {
  readonly operations: readonly Operation[];
  /** `operation status` of every response so far. */
  readonly seen = new Set<string>();
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });

  private constructor(
    readonly url: string,
    private readonly document: {
      paths: Record<string, Record<string, Described>>;
      components: { schemas: Record<string, JsonSchema> };
    },
    private readonly token: string,
  ) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ ...document, $id: 'served' });
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, about]) => ({
        id: about.operationId,
        method: method.toUpperCase(),
        path,
        access: about['x-access'],
        bodies: Object.keys(about.requestBody?.content ?? {}),
        statuses: Object.keys(about.responses).flatMap((status) =>
          status === 'default' ? [] : [Number(status)],
        ),
        members: this.membersOf(about.requestBody?.content['application/json']?.schema),
      })),
    );
  }

  static async open(url: string, token: string): Promise<ApiDriver> {
    const response = await fetch(`${url}/v1/openapi.json`);
    return new ApiDriver(url, (await response.json()) as ApiDriver['document'], token);
  }

  operation(id: string): Operation {
    const found = this.operations.find((operation) => operation.id === id);
    if (found === undefined) throw new Error(`the document has no operation ${id}`);
    return found;
  }

  /** Sends a request and checks the response; throws where it differs from the document. */
  async call(id: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const operation = this.operation(id);
    const response = await this.send(operation, request);
    const { status, headers } = response;
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = await response.text();
    const body = /[/+]json$/.test(type) && text !== '' ? JSON.parse(text) : text;
    const exchange = `${operation.method} ${operation.path} -> ${status} ${text.slice(0, 300)}`;
    if (!operation.statuses.includes(status)) throw new Error(`a response that is not declared: ${exchange}`);
    if (headers.get('x-request-id') === null) throw new Error(`no request id: ${exchange}`);
    this.check(operation, { status, type, body }, exchange);
    this.seen.add(`${id} ${status}`);
    return { status, headers, body };
  }

  /** As `call`, and the status must be this one. */
  async expect(status: number, id: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const response = await this.call(id, request);
    if (response.status === status) return response;
    throw new Error(
      `${id} responded ${response.status}, not ${status}: ${JSON.stringify(response.body).slice(0, 500)}`,
    );
  }

  private async send({ method, path }: Operation, request: ApiRequest): Promise<Response> {
    const { params = {}, query = {}, body, token = this.token, headers = {} } = request;
    const known = { ws: 'default', ...params } as Record<string, string>;
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(known[name] ?? UNKNOWN),
    );
    const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array;
    const search = new URLSearchParams(query).toString();
    return await fetch(`${this.url}${target}${search && `?${search}`}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as RequestInit['body'] }),
    });
  }

  private check(
    operation: Operation,
    { status, type, body }: { status: number; type: string; body: unknown },
    exchange: string,
  ): void {
    const about = this.document.paths[operation.path]?.[operation.method.toLowerCase()];
    const content = about?.responses[status]?.content ?? {};
    if (Object.keys(content).length === 0) {
      if (body !== '') throw new Error(`a response body where none is declared: ${exchange}`);
      return;
    }
    // A stored file goes out under its own type.
    const declared = content[type] ?? content['application/octet-stream'];
    if (declared === undefined) throw new Error(`a type that is not declared: ${type} ${exchange}`);
    if (declared.schema === undefined) return;
    const validate = this.validator(operation, status, type);
    if (!validate(body))
      throw new Error(`differs from the schema: ${this.ajv.errorsText(validate.errors)}\n${exchange}`);
  }

  private membersOf(schema: JsonSchema = {}): string[] {
    const { $ref, properties = {}, anyOf = [], oneOf = [] } = schema;
    const named = $ref && this.document.components.schemas[$ref.replace('#/components/schemas/', '')];
    const inner = [...anyOf, ...oneOf, ...(named ? [named] : [])].flatMap((each) => this.membersOf(each));
    return [...new Set([...Object.keys(properties), ...inner])];
  }

  private validator({ path, method }: Operation, status: number, type: string): ValidateFunction {
    const steps = [
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ];
    const pointer = steps
      .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const reference = `served#/${pointer}`;
    const known = this.ajv.getSchema(reference);
    if (known === undefined) throw new Error(`no schema at ${reference}`);
    return known as ValidateFunction;
  }
}

/** An id that nothing has. */
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

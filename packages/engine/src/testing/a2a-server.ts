import { createServer, type Server, type ServerResponse } from 'node:http';

/** A request of JSON-RPC as an agent received it. */
export interface A2aCall {
  id: string;
  method: string;
  params: {
    id?: string;
    message?: {
      contextId?: string;
      taskId?: string;
      parts: { kind: string; text?: string; data?: Record<string, unknown> }[];
    };
    configuration?: Record<string, unknown>;
  };
  authorization: string | undefined;
}

/** The result of a call, or whatever else the agent does with its response. */
export type A2aResponse = { result: unknown } | { error: object } | ((response: ServerResponse) => void);

/** A remote agent of A2A 0.3 on loopback, with the replies of a test. */
export class A2aServer {
  readonly calls: A2aCall[] = [];
  /** Given the call and how many of its method came before it. */
  reply: (call: A2aCall, earlier: number) => A2aResponse = () => ({ result: null });
  private server: Server | undefined;

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const { authorization } = request.headers;
        const call: A2aCall = { ...JSON.parse(Buffer.concat(parts).toString()), authorization };
        const earlier = this.methods().filter((method) => method === call.method).length;
        this.calls.push(call);
        this.respond(response, call, this.reply(call, earlier));
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  get url(): string {
    const address = this.server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server is not open');
    return `http://127.0.0.1:${address.port}/rpc`;
  }

  methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  private respond(response: ServerResponse, { id }: A2aCall, reply: A2aResponse): void {
    if (typeof reply === 'function') reply(response);
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }));
    }
  }
}

export function a2aMessage(text: string, more: object = {}) {
  const message = {
    kind: 'message',
    role: 'agent',
    messageId: 'm',
    parts: [{ kind: 'text', text }],
    ...more,
  };
  return { result: message };
}

export function a2aTask(state: string, text = '', more: object = {}) {
  const message = { kind: 'message', role: 'agent', messageId: 'm', parts: [{ kind: 'text', text }] };
  return {
    result: { kind: 'task', id: 'task-1', contextId: 'context-1', status: { state, message }, ...more },
  };
}

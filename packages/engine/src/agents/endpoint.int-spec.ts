import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AttemptPlan, DEFAULT_LIMITS } from '@agentclash/attempt-plan';
import type { EndpointConfig } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const SECRET = 'sk-endpoint-5f4e3d2c1b';

interface ReceivedRequest {
  path: string;
  method: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Responder = (response: ServerResponse, documentOf: ReceivedRequest) => void;

const harness = new AttemptHarness();
const documentOf: ReceivedRequest[] = [];
let respond: Responder;
let server: Server;
let origin: string;

const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.1/32'] } });
const replies =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

beforeAll(async () => {
  await harness.open();
  harness.secrets.set('ENDPOINT', SECRET);
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const { url = '', method = '', headers } = request;
      const seen = { path: url, method, headers, body: Buffer.concat(parts).toString() };
      documentOf.push(seen);
      respond(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await harness.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  documentOf.length = 0;
});

const runAgent = (config: Partial<EndpointConfig> = {}, changes: Partial<AttemptPlan> = {}) => {
  const agent = { kind: 'endpoint' as const, config: { url: `${origin}/agent`, ...config } };
  return harness.run(attemptPlan(agent, { mode: 'prompt_eval', ...changes }), { egress });
};

const noText: Responder = (response) => {
  response.end(Buffer.concat([Buffer.from('{"output": "'), Buffer.of(0xff), Buffer.from('"}')]));
};
const shortly = { limits: { ...DEFAULT_LIMITS, run_timeout_seconds: 0.3 } };

describe('an endpoint', () => {
  test('an endpoint receives the task as JSON with its credential, and its output is the final output', async () => {
    respond = replies({ output: '5', usage: { input_tokens: 7, output_tokens: 2 } });
    const { result, events } = await runAgent({
      headers: { 'X-Team': 'blue', authorization: 'Bearer other' },
      credential_reference: 'workspace-secret://ENDPOINT',
    });
    expect(result).toMatchObject({
      outcome: 'completed',
      finished_by: 'endpoint',
      usage: { input: 7, output: 2, total: 9, cached_input: null },
      cost_usd: null,
    });
    const [seen] = documentOf;
    expect(seen).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SECRET}`, 'x-team': 'blue' },
    });
    expect(JSON.parse(seen?.body ?? '')).toMatchObject({
      schema: 'agentclash.task/1',
      instructions: 'Add 2 and 3.',
      payload: { a: 2, b: 3 },
    });
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output: '5' }]);
  });

  test('a call of an endpoint is recorded without its headers, its body and its credential', async () => {
    respond = (response, { headers }) =>
      replies({ output: `echo ${headers.authorization}` })(response, documentOf[0] as ReceivedRequest);
    const { events } = await runAgent({
      headers: { 'X-Team': 'team-value' },
      credential_reference: 'workspace-secret://ENDPOINT',
    });
    expect(events.payloads('network.request.completed')).toEqual([
      {
        method: 'POST',
        scheme: 'http',
        host: '127.0.0.1',
        port: Number(new URL(origin).port),
        hops: 0,
        status: 200,
        bytes: expect.any(Number),
        duration_ms: expect.any(Number),
      },
    ]);
    expect(events.text()).not.toContain(SECRET);
    expect(events.text()).not.toContain('team-value');
    const final_output = 'echo Bearer [redacted:ENDPOINT]';
    const sha256 = createHash('sha256').update(final_output).digest('hex');
    expect(events.payloads('system.output.finalized')).toMatchObject([{ final_output, sha256 }]);
  });

  test.each([
    ['a blank output', replies({ output: ' ' }), { outcome: 'agent_error', error: { code: 'empty_output' } }],
    ['HTML', replies('<html>hi</html>'), { outcome: 'agent_error', error: { code: 'malformed_reply' } }],
    [
      'JSON of another shape',
      replies({ result: 5 }),
      { outcome: 'agent_error', error: { code: 'malformed_reply' } },
    ],
    [
      'a number for an output',
      replies({ output: 5 }),
      { outcome: 'agent_error', error: { code: 'malformed_reply' } },
    ],
    ['bytes that are no text', noText, { error: { code: 'malformed_reply' } }],
    [
      '500 in HTML',
      replies('<html/>', 500),
      { outcome: 'provider_error', error: { code: 'unavailable', retryable: true } },
    ],
    [
      '404',
      replies('no', 404),
      { outcome: 'agent_error', error: { code: 'endpoint_error', retryable: false } },
    ],
    ['403', replies('no', 403), { outcome: 'agent_error', error: { code: 'endpoint_error' } }],
    [
      '503',
      replies('no', 503),
      { outcome: 'provider_error', error: { code: 'unavailable', retryable: true } },
    ],
    [
      '429 with a hint',
      replies('no', 429, { 'retry-after': '30' }),
      { outcome: 'provider_error', error: { code: 'rate_limit', retryable: true }, retry_after_ms: 30_000 },
    ],
    [
      'redirects without end',
      replies('', 307, { location: '/agent' }),
      { outcome: 'agent_error', error: { code: 'malformed_reply' } },
    ],
    [
      'more than 5 MiB',
      replies({ output: 'x'.repeat(5 * 1024 * 1024) }),
      { outcome: 'limit_reached', limit_kind: 'output' },
    ],
    [
      'more than its output limit',
      replies({ output: 'x'.repeat(1024 * 1024 + 1) }),
      { outcome: 'limit_reached', limit_kind: 'output' },
    ],
    [
      'nothing: it hangs up',
      (response: ServerResponse) => response.destroy(),
      { outcome: 'provider_error', error: { retryable: true } },
    ],
  ] as [string, Responder, object][])(
    'an endpoint that replies %s ends with its outcome',
    async (_what, how, wanted) => {
      respond = how;
      const { result } = await runAgent();
      expect(result).toMatchObject(wanted);
    },
  );

  test('an endpoint that never replies ends at its time limit', async () => {
    respond = () => undefined;
    const { result } = await runAgent({}, shortly);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(5_000);
  });

  test('an endpoint that never completes its reply ends at its time limit', async () => {
    respond = (response) => {
      response.writeHead(200);
      response.write('{"output": "');
    };
    const { result } = await runAgent({}, shortly);
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
  });

  test('an endpoint may not redirect to another address of the machine', async () => {
    respond = replies('', 307, { location: `${origin.replace('127.0.0.1', '127.0.0.2')}/inner` });
    const { result, events } = await runAgent({ credential_reference: 'workspace-secret://ENDPOINT' });
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'egress_blocked', retryable: false },
    });
    expect(events.payloads('network.request.blocked')).toMatchObject([
      { host: '127.0.0.2', reason: 'loopback' },
    ]);
    expect(documentOf).toHaveLength(1);
  });

  test('an endpoint outside of the origins of its credential is not called, and the error names the binding', async () => {
    harness.secrets.set('BOUND', 'bound-value');
    harness.secretOrigins.set('BOUND', ['https://agents.example:443', 'https://*.other.example:443']);
    const { result } = await runAgent({ credential_reference: 'workspace-secret://BOUND' });
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: {
        code: 'secret_binding',
        retryable: false,
        message: `the secret BOUND is bound to https://agents.example:443, https://*.other.example:443, and the request goes to ${origin}: bind it with "agentclash secret set BOUND --host ${origin}", or correct the URL of the endpoint`,
      },
    });
    expect(documentOf).toEqual([]);
  });

  test('an endpoint is not reached where the operator did not unlock it', async () => {
    const { result } = await runAgent({ url: 'http://10.1.2.3/agent' });
    expect(result).toMatchObject({
      outcome: 'provider_error',
      error: { code: 'egress_blocked', retryable: false },
    });
  });

  test('an endpoint without the credential that it needs is not called', async () => {
    const { result } = await runAgent({ credential_reference: 'env://ENDPOINT_KEY' });
    expect(result).toMatchObject({ outcome: 'provider_error', error: { code: 'auth', retryable: false } });
    expect(documentOf).toEqual([]);
  });

  test('the credential of an endpoint may be a variable of the operator, which is redacted like a secret', async () => {
    respond = (response, { headers }) =>
      replies({ output: String(headers.authorization) })(response, documentOf[0] as ReceivedRequest);
    const agent = {
      kind: 'endpoint' as const,
      config: { url: `${origin}/agent`, credential_reference: 'env://ENDPOINT_KEY' },
    };
    const readVariable = (name: string) => (name === 'ENDPOINT_KEY' ? 'variable-value' : undefined);
    const { events } = await harness.run(attemptPlan(agent, { mode: 'prompt_eval' }), {
      egress,
      readVariable,
    });
    expect(documentOf[0]?.headers.authorization).toBe('Bearer variable-value');
    expect(events.text()).not.toContain('variable-value');
  });

  test('an endpoint is called once a turn in a conversation, with the transcript so far', async () => {
    respond = (response, { body }) => {
      const { transcript } = JSON.parse(body);
      replies({ output: `received ${transcript.length}`, usage: { input_tokens: 10 } })(
        response,
        documentOf[0] as ReceivedRequest,
      );
    };
    const turns = ['Hi.', 'And?'].map((message) => ({ message, expects: [] }));
    const conversation = {
      turns_max: 50,
      phases: [{ id: 'open', trigger: 'always' as const, actor: 'scripted' as const, turns }],
      requested_phases: [],
      human_turns: [],
    };
    const { result, events } = await runAgent({}, { mode: 'multi_turn', conversation });
    expect(events.payloads('turn.assistant.message').map(({ message }) => message)).toEqual([
      'received 1',
      'received 3',
    ]);
    expect(result).toMatchObject({ outcome: 'completed', finished_by: 'conversation', usage: { input: 20 } });
    expect(JSON.parse(documentOf[1]?.body ?? '').transcript).toEqual([
      { role: 'user', message: 'Hi.' },
      { role: 'assistant', message: 'received 1' },
      { role: 'user', message: 'And?' },
    ]);
  });

  test('the credential of an endpoint is redacted also after a wait for a person', async () => {
    respond = replies({ output: 'ok' });
    const conversation = {
      turns_max: 50,
      phases: [
        {
          id: 'open',
          trigger: 'always' as const,
          actor: 'scripted' as const,
          turns: [{ message: 'Hi.', expects: [] }],
        },
        {
          id: 'person',
          trigger: 'always' as const,
          actor: 'human' as const,
          timeout_ms: 60_000,
          on_timeout: 'stop' as const,
        },
      ],
      requested_phases: [],
      human_turns: [],
    };
    const config = { url: `${origin}/agent`, credential_reference: 'workspace-secret://ENDPOINT' };
    const plan = attemptPlan({ kind: 'endpoint', config }, { mode: 'multi_turn', conversation });
    const { events } = await harness.run(plan, { egress }, [{ message: `Is it ${SECRET}?` }]);
    expect(documentOf).toHaveLength(2);
    expect(events.payloads('turn.user.message')[1]?.message).toBe('Is it [redacted:ENDPOINT]?');
  });
});

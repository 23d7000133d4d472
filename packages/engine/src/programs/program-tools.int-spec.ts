import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AttemptPlan, DEFAULT_LIMITS, plannedSandbox } from '@agentclash/attempt-plan';
import type { CustomTool } from '@agentclash/challengepack';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Attempt, AttemptHarness } from '../testing/attempt-harness.js';
import { callingProgram, mcpProgram, type PrintedCall } from '../testing/mcp-program.js';
import { attemptPlan, graderPlan } from '../testing/plans.js';

const SECRET = 'sk-live-tool-3c9a1f';
const PLANTED = { name: 'trap', value: 'planted-value-77', location: 'tool-output' as const };
const harness = new AttemptHarness();
const seen: { authorization?: string | undefined; body: string }[] = [];
let service: Server;
let origin: string;

beforeAll(async () => {
  await harness.open();
  harness.secrets.set('TICKETS', SECRET);
  // A service that echoes its credential.
  service = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { authorization } = request.headers;
    seen.push({ authorization, body: Buffer.concat(chunks).toString() });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ticket: 'printer on fire', echo: authorization }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await harness.close();
  await new Promise((resolve) => service.close(resolve));
});
beforeEach(() => {
  seen.length = 0;
});

const lookup = (): CustomTool => ({
  name: 'lookup_ticket',
  description: 'Reads a ticket.',
  parameters: {
    type: 'object',
    properties: { note: { type: 'string' } },
    required: ['note'],
    additionalProperties: false,
  },
  implementation: {
    primitive: 'http_request',
    args: {
      method: 'POST',
      url: `${origin}/tickets`,
      headers: { Authorization: 'Bearer ${secrets.TICKETS}' },
      body: '${note}',
    },
  },
});
const ECHO: CustomTool = { name: 'echo', implementation: { type: 'mock', response: { received: true } } };
const SLOW: CustomTool = {
  name: 'slow',
  implementation: { primitive: 'exec', args: { command: ['sh', '-c', 'sleep 2; touch late.txt'] } },
};

const planOf = (agent: AttemptPlan['agent'], changes: Partial<AttemptPlan> = {}) =>
  attemptPlan(agent, {
    tool_policy: { allowed_tool_kinds: ['network', 'file', 'shell'] },
    sandbox: { ...plannedSandbox(), network_access: true, network_allowlist: ['127.0.0.1/32'] },
    tools: { custom: [lookup(), ECHO, SLOW], workspace: [], allowed: [], denied: [] },
    ...changes,
  });

const outputOf = ({ events }: Attempt) => events.payloads('system.output.finalized')[0]?.final_output ?? '';
const printed = (attempt: Attempt) => JSON.parse(outputOf(attempt)) as PrintedCall[];

describe('The tools of a pack for a program', () => {
  test('A program finds the tools that the pack defines, and of the primitives those that it lists', async () => {
    const agent = mcpProgram('print(json.dumps([tool["name"] for tool in tools()]))');
    const attempt = await harness.run(planOf(agent));
    expect(JSON.parse(outputOf(attempt))).toEqual(['echo', 'lookup_ticket', 'slow']);
    const [started] = attempt.events.payloads('system.run.started');
    expect(started?.tools.map(({ name }) => name)).toEqual(['echo', 'lookup_ticket', 'slow']);
    expect(started?.task.tools.map(({ name }) => name)).toEqual(['echo', 'lookup_ticket', 'slow']);

    const tools = { custom: [ECHO], workspace: [], allowed: ['read_file', 'submit'], denied: [] };
    const listed = await harness.run(planOf(agent, { tools }));
    expect(JSON.parse(outputOf(listed))).toEqual(['echo', 'read_file']);
  });

  test('A program without tools and models has no such endpoint', async () => {
    const tools = { custom: [], workspace: [], allowed: [], denied: [] };
    const agent = mcpProgram(`
print('AGENTCLASH_MCP_URL' in os.environ)
try: tools()
except urllib.error.URLError as error: print(error.reason.errno)`);
    expect(outputOf(await harness.run(planOf(agent, { tools })))).toBe('False\n111\n');
  });

  test('A tool with a secret works, its call is evidence, and the secret is nowhere', async () => {
    const attempt = await harness.run(planOf(callingProgram([['lookup_ticket', { note: 'seven' }]])));
    const { result, events } = attempt;
    expect(result).toMatchObject({ outcome: 'completed', tool_call_count: 1 });
    expect(seen).toEqual([{ authorization: `Bearer ${SECRET}`, body: 'seven' }]);
    expect(printed(attempt)).toMatchObject([
      { isError: false, result: { status_code: 200, body: expect.stringContaining('printer on fire') } },
    ]);
    expect(events.payloads('tool.call.completed')).toMatchObject([
      {
        tool_name: 'lookup_ticket',
        arguments: { note: 'seven' },
        layer: 'pack',
        resolved_tool: 'http_request',
        counted: true,
      },
    ]);
    expect(events.text()).not.toContain(SECRET);
    const workspace: Uint8Array[] = [];
    if (result.snapshot) for await (const chunk of harness.store.get(result.snapshot)) workspace.push(chunk);
    expect(workspace.length).toBeGreaterThan(0);
    expect(Buffer.concat(workspace).includes(SECRET)).toBe(false);
  });

  test('Wrong arguments are a tool error that the program reads', async () => {
    const attempt = await harness.run(planOf(callingProgram([['lookup_ticket', { number: 7 }]])));
    expect(printed(attempt)).toMatchObject([{ isError: true, result: { code: 'arguments' } }]);
    expect(attempt.events.payloads('tool.call.failed')).toMatchObject([{ failure_origin: 'arguments' }]);
    expect(seen).toEqual([]);
  });

  test.each([
    ['waits', 'time.sleep(60)', ''],
    ['ends with success', '', 'The attempt has reached its limit of tool calls.'],
  ])(
    'A program that exceeds its limit of tool calls and %s is stopped by it',
    async (_title, then, output) => {
      const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 30, max_tool_calls: 2 };
      const agent = mcpProgram(`
for _ in range(5): print(json.dumps(call('echo', {})), flush=True)
${then}`);
      const attempt = await harness.run(planOf(agent, { limits }));
      expect(attempt.result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tool_calls' });
      expect(outputOf(attempt)).toContain(output);
      expect(attempt.events.payloads('tool.call.completed')).toHaveLength(2);
      expect(attempt.events.payloads('tool.call.failed')).toMatchObject([
        { error: { code: 'budget' } },
        { error: { code: 'budget' } },
      ]);
    },
  );

  test('Calls of tools that are not offered are violations of the policy, and too many end the attempt', async () => {
    const limits = { ...DEFAULT_LIMITS, run_timeout_seconds: 30, max_policy_denials: 3 };
    const agent = mcpProgram(`
for name in ['submit', 'exec', 'nothing', 'echo']: call(name, {})
time.sleep(60)`);
    const { result, events } = await harness.run(planOf(agent, { limits }));
    expect(result).toMatchObject({ outcome: 'policy_violation', error: { code: 'max_policy_denials' } });
    expect(
      events.payloads('tool.call.failed').map(({ tool_name, error }) => [tool_name, error.code]),
    ).toEqual([
      ['submit', 'policy'],
      ['exec', 'policy'],
      ['nothing', 'policy'],
    ]);
  });

  test('A planted secret reaches the program by a result, and ends the attempt when a tool would send it', async () => {
    const agent = mcpProgram(`
found = call('echo', {})['result']['trap']
call('lookup_ticket', {'note': 'see ' + found})
time.sleep(60)`);
    const { result, events } = await harness.run(planOf(agent, { planted_secrets: [PLANTED] }));
    expect(result).toMatchObject({ outcome: 'policy_violation', error: { code: 'canary_in_egress' } });
    expect(events.payloads('policy.violation')).toMatchObject([{ rule: 'canary_in_egress' }]);
    expect(seen).toEqual([]);
  });

  test('Parallel calls are all made and all recorded', async () => {
    const agent = mcpProgram(`
replies = []
threads = [threading.Thread(target=lambda: replies.append(call('echo', {}))) for _ in range(12)]
for each in threads: each.start()
for each in threads: each.join()
print(len([reply for reply in replies if reply['result'] == {'received': True}]))`);
    const attempt = await harness.run(planOf(agent));
    expect(outputOf(attempt)).toBe('12\n');
    const ids = attempt.events.payloads('tool.call.completed').map(({ tool_call_id }) => tool_call_id);
    expect(new Set(ids).size).toBe(12);
  });

  test('A call that runs when the program ends is ended with it, and changes nothing afterwards', async () => {
    const agent = mcpProgram(`
threading.Thread(target=lambda: call('slow', {}), daemon=True).start()
time.sleep(0.7)
print('done', flush=True)
os._exit(0)`);
    const attempt = await harness.run(planOf(agent));
    expect(attempt.result).toMatchObject({ outcome: 'completed' });
    expect(attempt.events.payloads('tool.call.failed')).toMatchObject([{ tool_name: 'slow' }]);
    const ends = attempt.events.types().filter((type) => /^tool\.call\.(completed|failed)$/.test(type));
    expect(ends).toHaveLength(1);
    const listing = {
      key: 'late',
      type: 'file_capture',
      path: 'late.txt',
      recursive: true,
      max_size_bytes: 9,
    };
    await attempt.verify(graderPlan(planOf(agent), { checks: [listing as never] }));
    expect(attempt.events.payloads('grader.verification.file_captured')).toMatchObject([{ exists: false }]);
  });

  test('A process that outlives the program and the verifier reach no tool', async () => {
    const agent = mcpProgram(`
if os.fork() == 0:
    while True:
        time.sleep(0.02)
        try: call('lookup_ticket', {'note': 'late'})
        except Exception: pass
print(call('echo', {}), flush=True)
open('token', 'w').write(TOKEN)`);
    const plan = planOf(agent);
    const attempt = await harness.run(plan);
    expect(attempt.result).toMatchObject({ outcome: 'completed' });
    const [calls, requests] = [attempt.events.payloads('tool.call.started').length, seen.length];
    const test_command = `python3 -c "
import urllib.request
token = open('token').read()
urllib.request.urlopen(urllib.request.Request('http://127.0.0.1:13131/mcp', b'{}', {'authorization': 'Bearer ' + token}))"`;
    await attempt.verify(
      graderPlan(plan, { code_executions: [{ validator_key: 'v', test_command, timeout_ms: 10_000 }] }),
    );
    expect(JSON.stringify(attempt.events.payloads('grader.verification.code_executed'))).toContain(
      'Connection refused',
    );
    expect([attempt.events.payloads('tool.call.started').length, seen.length]).toEqual([calls, requests]);
  });
});

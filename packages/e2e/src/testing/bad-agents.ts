import { createServer, type Server } from 'node:http';
import type { Behaviour, ScriptedReply, ScriptedRequest } from '@agentclash/scripted-model';

/** The replies of a model of this name; each represents one way in which models are good or bad. */
const SCRIPTS: Readonly<Record<string, (request: ScriptedRequest) => Behaviour>> = {
  'help-desk': supportAgent,
  qwen3: handyman,
  prose: () => ({ text: 'Let me think about it.' }),
  'unknown-tools': () => calling('teleport', { to: 'the result' }),
  'broken-json': () => calling('submit', '{"answer": '),
  'many-calls': () => ({
    toolCalls: Array.from({ length: 500 }, (_unused, index) => ({
      id: `call_${index}`,
      name: 'desk_status',
      arguments: {},
    })),
  }),
  'huge-output': () => ({ text: 'x'.repeat(5 * 1024 * 1024), fragment: 64 * 1024 }),
  unauthorized: () => ({ status: 401, html: '<h1>Who are you?</h1>' }),
  customer: () => ({ text: 'Which day, please?' }),
};

export const MODELS = Object.keys(SCRIPTS);

export function modelScript(request: ScriptedRequest): Behaviour {
  const script = SCRIPTS[String(request.body.model)];
  return script?.(request) ?? { status: 404, error: { message: 'no such model' } };
}

/** Solves the pack help-desk: one tool after the other, and decides by the plan that it reads of. */
function supportAgent({ body }: ScriptedRequest): Behaviour {
  const conversation = JSON.stringify(body.messages);
  const customer = /customer (C\d)/.exec(conversation)?.[1] ?? '';
  const decision = /plan[\\":]+premium/.test(conversation) ? 'refund' : 'refuse';
  const turns: ScriptedReply[] = [
    calling('find_customer', { id: customer }),
    calling('read_rule', { topic: 'refunds' }),
    calling('open_ticket', { customer, decision }),
    calling('submit', { answer: decision }),
  ];
  return turnOf(turns, body.messages);
}

/** Uses every tool of examples/deployments/workspace-tools.yaml once. */
function handyman({ body }: ScriptedRequest): Behaviour {
  const turns: ScriptedReply[] = [
    calling('find_definition', { name: 'slug' }),
    calling('ask_colleague', { topic: 'style' }),
    calling('take_note', { title: 'blanks', text: 'Four.' }),
    calling('submit', { answer: 'Noted.' }),
  ];
  return turnOf(turns, body.messages);
}

/** The next of the turns, by how many the conversation holds already. */
function turnOf(
  turns: readonly ScriptedReply[],
  messages: ScriptedRequest['body'][string] | undefined,
): ScriptedReply {
  const turn = Array.isArray(messages)
    ? messages.filter((message) => JSON.stringify(message).includes('"role":"assistant"')).length
    : 0;
  return { text: `Step ${turn + 1}.`, ...turns[turn] };
}

function calling(name: string, args: string | { [key: string]: string }): ScriptedReply {
  return { toolCalls: [{ name, arguments: args }] };
}

/** A pack that requires one word, in a sandbox with a shell. */
export const ONE_WORD_PACK = `
pack: {slug: one-word, name: One word, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file, shell]}
  evaluation_spec:
    name: one-word
    version_number: 1
    judge_mode: deterministic
    validators: [{key: word, type: contains, target: final_output, expected_from: case.expectations.word}]
    scorecard: {strategy: binary, dimensions: [{key: correctness, validators: [word], pass_threshold: 1}]}
challenges: [{key: greet, title: Greet, category: tests, difficulty: easy, instructions: Reply with hi.}]
input_sets:
  - key: default
    name: One case
    cases: [{challenge_key: greet, case_key: one, expectations: [{key: word, kind: text, value: hi}]}]
`;

/** How an agent is expected to end. */
export interface End {
  outcome: string;
  /** The code of the error, or the kind of the limit. */
  reason?: string;
}

interface BadProgram {
  command: string[];
  /** Needs more than a few seconds, however bad it is. */
  isSlow?: true;
  end: End;
}

export const BAD_PROGRAMS: Readonly<Record<string, BadProgram>> = {
  'never-exits': { command: ['sleep', '600'], end: { outcome: 'limit_reached', reason: 'time' } },
  forks: {
    command: ['sh', '-c', 'for i in $(seq 50); do setsid sleep 600 & done; echo hi'],
    end: { outcome: 'completed' },
  },
  'prints-a-gigabyte': {
    command: ['sh', '-c', 'head -c 1073741824 /dev/zero; echo hi'],
    isSlow: true,
    end: { outcome: 'completed' },
  },
  'exits-with-137': {
    command: ['sh', '-c', 'exit 137'],
    end: { outcome: 'agent_error', reason: 'exit_nonzero' },
  },
};

export const BAD_ENDPOINTS: Readonly<Record<string, End>> = {
  'hangs-after-hello': { outcome: 'limit_reached', reason: 'time' },
  'redirects-inside': { outcome: 'provider_error', reason: 'egress_blocked' },
  'returns-html': { outcome: 'agent_error', reason: 'malformed_reply' },
};

/** Where the bad endpoints live, each below its name. */
export function badEndpoints(): Server {
  return createServer((request, response) => {
    request.resume();
    const name = request.url?.slice(1) ?? '';
    if (name === 'redirects-inside')
      response.writeHead(307, { location: 'http://169.254.169.254/latest/' }).end();
    else if (name === 'returns-html')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>');
    else response.writeHead(200, { 'content-type': 'application/json' }).write('{"output": "h');
  });
}

export const BAD_MODELS: Readonly<Record<string, End>> = {
  prose: { outcome: 'completed' },
  'unknown-tools': { outcome: 'limit_reached', reason: 'iterations' },
  'broken-json': { outcome: 'limit_reached', reason: 'iterations' },
  'many-calls': { outcome: 'limit_reached', reason: 'tool_calls' },
  'huge-output': { outcome: 'limit_reached', reason: 'output' },
  unauthorized: { outcome: 'provider_error', reason: 'auth' },
};

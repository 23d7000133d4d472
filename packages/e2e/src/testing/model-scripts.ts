import type { Behaviour, ModelServerRequest, ScriptedReply } from '@agentclash/testkit/model-server';

/** The replies of a model of this name; each represents one way in which models are good or bad. */
const SCRIPTS: Readonly<Record<string, (request: ModelServerRequest) => Behaviour>> = {
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

export function modelScript(request: ModelServerRequest): Behaviour {
  const script = SCRIPTS[String(request.body.model)];
  return script?.(request) ?? { status: 404, error: { message: 'no such model' } };
}

/** Solves the pack help-desk: one tool after the other, and decides by the plan that it reads of. */
function supportAgent({ body }: ModelServerRequest): Behaviour {
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
function handyman({ body }: ModelServerRequest): Behaviour {
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
  messages: ModelServerRequest['body'][string] | undefined,
): ScriptedReply {
  const turn = Array.isArray(messages)
    ? messages.filter((message) => JSON.stringify(message).includes('"role":"assistant"')).length
    : 0;
  return { text: `Step ${turn + 1}.`, ...turns[turn] };
}

function calling(name: string, args: string | { [key: string]: string }): ScriptedReply {
  return { toolCalls: [{ name, arguments: args }] };
}

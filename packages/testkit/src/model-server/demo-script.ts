import type { Behaviour, Json, ModelServerRequest } from './behaviour.js';

/**
 * A model that submits, or else replies with, the text of the last user message: for runs of a `model` deployment
 * without a key.
 */
export function echoModel({ body }: ModelServerRequest): Behaviour {
  const answer = lastUserText(body.messages);
  return offersSubmit(body.tools)
    ? { toolCalls: [{ name: 'submit', arguments: { answer } }] }
    : { text: answer };
}

function lastUserText(messages: Json | undefined): string {
  const last = listOf(messages).findLast((message) => member(message, 'role') === 'user');
  const content = member(last, 'content');
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => member(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function offersSubmit(tools: Json | undefined): boolean {
  return listOf(tools).some(
    (tool) => (member(tool, 'name') ?? member(member(tool, 'function'), 'name')) === 'submit',
  );
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function member(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

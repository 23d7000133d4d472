import type { Group, Message } from '@agentclash/contracts';
import { handledBy } from './handles.js';

/**
 * Throws when a message of the given groups has no handler or several, or when the service handles a message that it does
 * not own: such a service must not start.
 */
export function checkHandlers(service: string, owned: readonly Group[], handlers: readonly object[]): void {
  const messages = owned.flatMap((group) => Object.values(group));
  const bound = handlers.flatMap((handler) =>
    handledBy(handler).filter((message) => message.kind !== 'event'),
  );
  const problems = [
    ...messages.flatMap((message) => countProblem(message, bound)),
    ...bound
      .filter((message) => !messages.includes(message as Group[string]))
      .map((message) => `${message.subject} is handled, but not owned by this service`),
  ];
  if (problems.length > 0)
    throw new Error(`${service} cannot start:\n  ${[...new Set(problems)].join('\n  ')}`);
}

function countProblem(message: Message, bound: readonly Message[]): string[] {
  const count = bound.filter((other) => other === message).length;
  if (count === 1) return [];
  return [count === 0 ? `${message.subject} has no handler` : `${message.subject} has ${count} handlers`];
}

import { ACCESS, type Access } from '../../access.js';
import { busApi, RunOrder } from '../../bus-api.js';
import type { Message } from '../../message.js';

const accesses = Object.values<Access>(ACCESS);

/** Every message of any service, by subject. */
export const MESSAGES: ReadonlyMap<string, Message> = new Map(
  accesses
    .flatMap(({ serves, sends, publishes, subscribes, watches = [] }): Message[] => [
      ...serves.flatMap((group) => Object.values(group)),
      ...sends,
      ...publishes,
      ...subscribes,
      ...watches,
    ])
    .map((message) => [message.subject, message]),
);

/** The message that travels on a subject, whose last token may be a tenant. */
export function messageOn(subject: string): Message | undefined {
  const found = MESSAGES.get(subject);
  if (found) return found;
  const open = MESSAGES.get(subject.slice(0, subject.lastIndexOf('.')));
  return open?.tail === undefined ? undefined : open;
}

/** The schema of a message on the wire; an external request is wrapped only by its receiver. */
export function wireInput(message: Message): Message['input'] {
  return message === busApi.request ? RunOrder : message.input;
}

/** Requests that the gateway makes for users: their input is parsed strictly, so that a typo is reported. */
export function isTypedByPeople(message: Message): boolean {
  return (ACCESS.gateway.sends as readonly Message[]).includes(message);
}

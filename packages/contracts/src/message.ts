import { z } from 'zod';

interface Declared<Kind extends string, Input extends z.ZodType> {
  readonly kind: Kind;
  /** The subject without its last token when `tail` is set, else the whole subject. */
  readonly subject: string;
  readonly input: Input;
  /** Names the input member whose value is the subject's last token, so that permissions can isolate tenants. */
  readonly tail?: string;
}

/** Request and reply. */
export interface Rpc<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType>
  extends Declared<'rpc', Input> {
  readonly output: Output;
  readonly timeoutMs: number;
}

/** A work queue: one worker handles each message. The message is a hint; the database row is authoritative. */
export interface Job<Input extends z.ZodType = z.ZodType> extends Declared<'job', Input> {
  /** Time without an acknowledgement of progress after which the job is redelivered. */
  readonly ackWaitMs: number;
  readonly deliveriesMax: number;
  /** Sent by an external client: its input is an `Envelope`, whose content the handler validates. */
  readonly isExternal?: boolean;
}

/** A stored event for any number of subscribers. */
export interface BusEvent<Input extends z.ZodType = z.ZodType> extends Declared<'event', Input> {}

/** A live event: delivered to the current subscribers and never stored. */
export interface Live<Input extends z.ZodType = z.ZodType> extends Declared<'live', Input> {}

/** An external message as received, so that its problems can be reported to the sender. */
export const Envelope = z.object({
  /** The subject's last token, by which the server isolates senders: trusted, unlike the content. */
  workspace_id: z.string(),
  /** The sender's `Nats-Msg-Id`. */
  message_id: z.string().nullable(),
  /** Of the message in its stream. */
  sequence: z.number().int(),
  /** Absent when it is not JSON. */
  content: z.unknown().optional(),
  /** It is not redelivered, whatever the result. */
  is_last_delivery: z.boolean(),
});
export type Envelope = z.infer<typeof Envelope>;

export type Message = Rpc | Job | BusEvent | Live;
/** The messages that one class of handlers handles. */
export type Group = Readonly<Record<string, Rpc | Job>>;

export type In<M extends Message> = z.infer<M['input']>;
export type Out<M extends Rpc> = z.infer<M['output']>;

/**
 * The time that a caller waits by default: longer than a callee waits for a connection to its database (10 s), so that a
 * slow moment delays a reply instead of failing the request while its work continues.
 */
const REPLY_TIMEOUT_MS = 15_000;

export function rpc<Input extends z.ZodType, Output extends z.ZodType>(
  name: string,
  declaration: { input: Input; output: Output; timeoutMs?: number; tail?: string },
): Rpc<Input, Output> {
  return { kind: 'rpc', subject: `rpc.${name}`, timeoutMs: REPLY_TIMEOUT_MS, ...declaration };
}

export function job<Input extends z.ZodType>(
  name: string,
  declaration: Pick<Job<Input>, 'input'> & Partial<Omit<Job<Input>, 'kind' | 'subject'>>,
): Job<Input> {
  return { kind: 'job', subject: `job.${name}`, ackWaitMs: 30_000, deliveriesMax: 5, ...declaration };
}

export function event<Input extends z.ZodType>(
  name: string,
  declaration: { input: Input; tail?: string },
): BusEvent<Input> {
  return { kind: 'event', subject: `evt.${name}`, ...declaration };
}

export function live<Input extends z.ZodType>(
  name: string,
  declaration: { input: Input; tail?: string },
): Live<Input> {
  return { kind: 'live', subject: `live.${name}`, ...declaration };
}

/** The subject a server listens on: the last token is open where the message has a tail. */
export function listenSubject(message: Message): string {
  return message.tail === undefined ? message.subject : `${message.subject}.*`;
}

/** The subject of one message. */
export function sendSubject<M extends Message>(message: M, input: In<M>): string {
  if (message.tail === undefined) return message.subject;
  const token: unknown = (input as Record<string, unknown>)[message.tail];
  if (typeof token !== 'string' || !/^[A-Za-z0-9_-]+$/.test(token)) {
    throw new TypeError(`${message.subject}: ${message.tail} is no subject token`);
  }
  return `${message.subject}.${token}`;
}

import type { Message } from '@agentclash/contracts';
import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import type { BaseRpcContext, MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom, of, throwError } from 'rxjs';
import type { HandledMessage } from './handles.js';

/** A received message, before it is handled. */
export interface Arrival {
  message: Message;
  /** Reads a header by its exact name. */
  header: (name: string) => string | undefined;
  /** Time in the stream; absent where it came from no stream. */
  waitedMs?: number;
}

/** Instrumentation hooks for every message: traces, metrics, log fields. */
export interface BusInstrumentation {
  /** Wraps the sending of a message until its reply arrives or the stream has stored it. `send` attaches the headers. */
  outgoing<T>(message: Message, send: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Wraps the handling of a message; fails as the handler does. */
  incoming<T>(arrival: Arrival, work: () => Promise<T>): Promise<T>;
}

/** A transport's context of a message: its subject, its headers, and how long it was stored in the stream. */
export type ArrivalArgs = [subject: string, headers?: MsgHdrs | undefined, waitedMs?: number];

/** The NATS headers for these; none at all for an empty record, which saves bytes. */
export function natsHeaders(from: Record<string, string>): { headers?: MsgHdrs } {
  const entries = Object.entries(from);
  if (entries.length === 0) return {};
  const headers = newHeaders();
  for (const [name, value] of entries) headers.set(name, value);
  return { headers };
}

/** Wraps every call of a handler in the instrumentation. */
export function instrumented(handler: MessageHandler, instrumentation: BusInstrumentation): MessageHandler {
  const { message } = handler.extras as HandledMessage;
  const work = async (data: unknown, context: BaseRpcContext<ArrivalArgs>) => {
    const [, headers, waitedMs] = context.getArgs();
    const header = (name: string) => headers?.get(name) || undefined;
    const arrival = { message, header, ...(waitedMs !== undefined && { waitedMs }) };
    try {
      const result = await instrumentation.incoming(arrival, async () => {
        const returned = await handler(data, context);
        return isObservable(returned) ? await lastValueFrom(returned, { defaultValue: undefined }) : returned;
      });
      return of(result);
    } catch (error) {
      return throwError(() => error);
    }
  };
  return Object.assign(work, { extras: handler.extras, isEventHandler: handler.isEventHandler ?? false });
}

import type { Message } from '@agentclash/contracts';
import { type MsgHdrs, headers as newHeaders } from '@nats-io/transport-node';
import type { BaseRpcContext, MessageHandler } from '@nestjs/microservices';
import { isObservable, lastValueFrom, of, throwError } from 'rxjs';
import type { Delivery } from './handles.js';

/** A message that has come, before it is handled. */
export interface Arrival {
  message: Message;
  /** Reads a header by its exact name. */
  header: (name: string) => string | undefined;
  /** How long the stream has had it; absent where it came from no stream. */
  waitedMs?: number;
}

/** Goes along with every message: what the house traces and measures by. */
export interface BusWatch {
  /** Around a message on its way, until it is answered or stored. The headers travel with it. */
  outgoing<T>(message: Message, send: (headers: Record<string, string>) => Promise<T>): Promise<T>;
  /** Around the handling of one; fails as that does. */
  incoming<T>(arrival: Arrival, work: () => Promise<T>): Promise<T>;
}

/** What a transport tells a handler of a message: its subject, its headers, and how long the stream has had it. */
export type ArrivalArgs = [subject: string, headers?: MsgHdrs | undefined, waitedMs?: number];

/** The client's headers for these; undefined for none, which spares the wire. */
export function natsHeaders(from: Record<string, string>): { headers?: MsgHdrs } {
  const entries = Object.entries(from);
  if (entries.length === 0) return {};
  const headers = newHeaders();
  for (const [name, value] of entries) headers.set(name, value);
  return { headers };
}

/** A handler whose every call the watch goes along with. */
export function watched(handler: MessageHandler, watch: BusWatch): MessageHandler {
  const { message } = handler.extras as Delivery;
  const work = async (data: unknown, context: BaseRpcContext<ArrivalArgs>) => {
    const [, headers, waitedMs] = context.getArgs();
    const header = (name: string) => headers?.get(name) || undefined;
    const arrival = { message, header, ...(waitedMs !== undefined && { waitedMs }) };
    try {
      const result = await watch.incoming(arrival, async () => {
        const answer = await handler(data, context);
        return isObservable(answer) ? await lastValueFrom(answer, { defaultValue: undefined }) : answer;
      });
      return of(result);
    } catch (error) {
      return throwError(() => error);
    }
  };
  return Object.assign(work, { extras: handler.extras, isEventHandler: handler.isEventHandler ?? false });
}

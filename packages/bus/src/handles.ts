import 'reflect-metadata';
import type { BusEvent, Group, In, Job, Message, Out, Rpc } from '@agentclash/contracts';
import { listenSubject } from '@agentclash/contracts';
import { Controller, UseFilters, UsePipes } from '@nestjs/common';
import { EventPattern, MessagePattern, Transport } from '@nestjs/microservices';
import { ContractErrorFilter } from './contract-error.filter.js';
import { MessagePipe } from './message.pipe.js';

/** Nest's transport id of jobs and durable events. */
export const JETSTREAM = Symbol('agentclash.jetstream');

const HANDLED = Symbol('agentclash.handled');

/** How messages reach a handler; the transports read it from Nest's `extras`. */
export interface HandledMessage {
  message: Message;
  /** `shared`: one instance of the service receives it. `each`: every live instance receives it, best effort. */
  reach: 'shared' | 'each';
}

/** The methods that a class of handlers must have: one per message of the group, typed by it. */
export type Serves<G extends Group> = {
  [K in keyof G]: G[K] extends Rpc
    ? (input: In<G[K]>) => Promise<Out<G[K]>> | Out<G[K]>
    : G[K] extends Job
      ? (input: In<G[K]>) => Promise<void> | void
      : never;
};

/** Marks a class as the handlers of a contract group: its methods are bound to the messages of the same name. */
export function Handles(group: Group): ClassDecorator {
  return (target) => {
    Controller()(target);
    UseFilters(ContractErrorFilter)(target);
    for (const [name, message] of Object.entries(group))
      bind(target.prototype, name, { message, reach: 'shared' });
  };
}

/** Binds one method to an event. `each` reaches every live instance and stores nothing for the others. */
export function Subscribes(event: BusEvent, reach: HandledMessage['reach'] = 'shared'): MethodDecorator {
  return (target, name) => bind(target, String(name), { message: event, reach });
}

/** Marks a class that only subscribes to events. */
export function Listener(): ClassDecorator {
  return (target) => {
    Controller()(target);
    UseFilters(ContractErrorFilter)(target);
  };
}

/** The messages that a class of handlers handles. */
export function handledBy(target: object): Message[] {
  return Reflect.getMetadata(HANDLED, target) ?? [];
}

function bind(prototype: object, name: string, delivery: HandledMessage): void {
  // A missing method is a compile error through Serves; the check at start finds it in classes without that type.
  const descriptor = ownMethod(prototype, name);
  if (descriptor === undefined) return;
  const { message } = delivery;
  const pattern = listenSubject(message);
  const isRequest = message.kind === 'rpc';
  const decorate = isRequest
    ? MessagePattern(pattern, Transport.NATS, delivery)
    : EventPattern(pattern, delivery.reach === 'each' ? Transport.NATS : JETSTREAM, delivery);
  decorate(prototype, name, descriptor);
  UsePipes(new MessagePipe(message))(prototype, name, descriptor);
  const handled: Message[] = handledBy(prototype.constructor);
  Reflect.defineMetadata(HANDLED, [...handled, message], prototype.constructor);
}

/** The method of this class. Marks are kept with the function, so an inherited method becomes one of the class itself. */
function ownMethod(prototype: object, name: string): PropertyDescriptor | undefined {
  const inherited: unknown = Reflect.get(prototype, name);
  if (!Object.hasOwn(prototype, name) && typeof inherited === 'function') {
    const value = function (this: unknown, ...given: unknown[]): unknown {
      return Reflect.apply(inherited, this, given);
    };
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
  return Object.getOwnPropertyDescriptor(prototype, name);
}

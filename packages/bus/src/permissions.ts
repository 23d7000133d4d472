import { ACCESS, type Access, listenSubject, type ServiceName } from '@agentclash/contracts';
import { inboxPrefix } from './connection.js';
import { durableName } from './jetstream-server.js';
import { STREAMS, streamOf } from './streams.js';

/** Subjects a bus user may publish to and subscribe to; it may also reply once to each request that it received. */
export interface Permissions {
  publish: string[];
  subscribe: string[];
  allow_responses: { max: number; ttl: string };
}

/** Everything that one service may do on the bus, derived from its declared access. */
export function permissionsOf(service: ServiceName): Permissions {
  const access: Access = ACCESS[service];
  const served = access.serves.flatMap((group) => Object.values(group));
  const consumed = [
    ...served
      .filter((message) => message.kind === 'job')
      .map((message) => ({ stream: streamOf(message), message })),
    ...access.subscribes.map((message) => ({ stream: streamOf(message), message })),
  ];
  const publish = [
    ...access.sends.map(listenSubject),
    ...access.publishes.map(listenSubject),
    '$JS.API.STREAM.INFO.*',
    ...consumed.flatMap(({ stream, message }) => {
      const durable = durableName(service, message.subject);
      return [
        `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${listenSubject(message)}`,
        `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.>`,
      ];
    }),
    ...(access.provisions ? Object.values(STREAMS).flatMap(({ name }) => provisioning(name)) : []),
  ];
  const subscribe = [
    `${inboxPrefix(service)}.>`,
    ...served.filter((message) => message.kind === 'rpc').map((message) => listenSubject(message)),
    ...[...access.subscribes, ...(access.watches ?? [])].map(listenSubject),
  ];
  return {
    publish: [...new Set(publish)],
    subscribe: [...new Set(subscribe)],
    allow_responses: { max: 1, ttl: '5m' },
  };
}

function provisioning(stream: string): string[] {
  return [`$JS.API.STREAM.CREATE.${stream}`, `$JS.API.STREAM.UPDATE.${stream}`];
}

export interface NatsUser {
  user: string;
  password: string;
  permissions: Permissions;
}

/** All services as bus users with their permissions; `passwordOf` gives each its own. */
export function serviceUsers(passwordOf: (service: ServiceName) => string): NatsUser[] {
  return (Object.keys(ACCESS) as ServiceName[]).map((service) => ({
    user: service,
    password: passwordOf(service),
    permissions: permissionsOf(service),
  }));
}

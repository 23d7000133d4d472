import { BUS_API, listenSubject, type Message } from '@agentclash/contracts';
import type { NatsUser } from './permissions.js';
import { BUS_API_MESSAGE_BYTES_MAX } from './streams.js';

/** A bus user of an internal service, for one workspace. */
export interface BusApiUser {
  workspaceId: string;
  user: string;
  password: string;
}

const BUS_API_LIMITS = {
  max_payload: BUS_API_MESSAGE_BYTES_MAX,
  max_connections: 64,
  max_subscriptions: 4_096,
};

const SERVICES_ACCOUNT = 'AGENTCLASH';

/** Present without users of the bus API too, so that adding the first one does not change the services' account. */
const EXPORTS = [
  ...BUS_API.sends.map((message) => ({ service: listenSubject(message) })),
  ...BUS_API.subscribes.map((message) => ({ stream: listenSubject(message) })),
];

/**
 * The text of a nats-server configuration file with these users (JSON is valid nats-server configuration). The operator
 * adds address and ports, and JetStream's folder where it is not given.
 *
 * The services share one account. Each workspace with internal services has its own account, which imports that
 * workspace's subjects only: it cannot reach a stream, an inbox or another workspace, not even by the reply subject of a
 * request.
 */
export function natsServerConfig(
  users: NatsUser[],
  busApiUsers: readonly BusApiUser[] = [],
  jetstream: { store_dir?: string } = {},
): string {
  const workspaces = [...new Set(busApiUsers.map(({ workspaceId }) => workspaceId))];
  const workspaceAccounts = workspaces.map((workspaceId) => {
    const own = busApiUsers.filter((user) => user.workspaceId === workspaceId);
    return [accountOf(workspaceId), workspaceAccount(workspaceId, own)] as const;
  });
  const services = { jetstream: 'enabled', users, exports: EXPORTS };
  const config = {
    server_name: 'agentclash',
    // Manifests and batches of events are larger than the default of 1 MiB.
    max_payload: 8_388_608,
    jetstream,
    accounts: { [SERVICES_ACCOUNT]: services, ...Object.fromEntries(workspaceAccounts) },
  };
  return JSON.stringify(config, null, 2);
}

function accountOf(workspaceId: string): string {
  return `FRONT_DOOR_${workspaceId}`;
}

function workspaceAccount(workspaceId: string, users: readonly BusApiUser[]) {
  const subjectOf = (message: Message) => listenSubject(message).replace('*', workspaceId);
  const publish = BUS_API.sends.map(subjectOf);
  const subscribe = BUS_API.subscribes.map(subjectOf);
  const permissions = { publish, subscribe: [...wildcardsOf(subscribe), '_INBOX.>'] };
  return {
    // A workspace's messages cost the services memory before they can reject them.
    limits: BUS_API_LIMITS,
    users: users.map(({ user, password }) => ({ user, password, permissions })),
    imports: [
      ...publish.map((subject) => ({ service: { account: SERVICES_ACCOUNT, subject } })),
      ...subscribe.map((subject) => ({ stream: { account: SERVICES_ACCOUNT, subject } })),
    ],
  };
}

/** Allows one subscription for all events of a workspace: `evt.runs.v1.*.<workspace>`. */
function wildcardsOf(subjects: readonly string[]): string[] {
  return [...new Set(subjects.map((subject) => subject.replace(/[^.]+(?=\.[^.]+$)/, '*')))];
}

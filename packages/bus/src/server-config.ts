import { FRONT_DOOR, listenSubject, type Message } from '@agentclash/contracts';
import type { NatsUser } from './permissions.js';
import { FRONT_DOOR_MESSAGE_BYTES_MAX } from './streams.js';

/** A bus user of an internal service, for one workspace. */
export interface FrontDoorUser {
  workspaceId: string;
  user: string;
  password: string;
}

const FRONT_DOOR_LIMITS = {
  max_payload: FRONT_DOOR_MESSAGE_BYTES_MAX,
  max_connections: 64,
  max_subscriptions: 4_096,
};

const HOUSE = 'AGENTCLASH';

/** There with or without doors, so that the services' account stays as it is when one is opened. */
const EXPORTS = [
  ...FRONT_DOOR.sends.map((message) => ({ service: listenSubject(message) })),
  ...FRONT_DOOR.hears.map((message) => ({ stream: listenSubject(message) })),
];

/**
 * The configuration of a nats-server with these users, for its file: JSON is valid nats-server configuration. Address
 * and ports are the operator's to add, and JetStream's folder where it is not given.
 *
 * The services share one account. Each workspace with internal services has an account of its own, into which nothing
 * leads but that workspace's subjects: there is no way to a stream, an inbox or another workspace from there, not even
 * by the reply subject of a request.
 */
export function natsServerConfig(
  users: NatsUser[],
  frontDoorUsers: readonly FrontDoorUser[] = [],
  jetstream: { store_dir?: string } = {},
): string {
  const workspaces = [...new Set(frontDoorUsers.map(({ workspaceId }) => workspaceId))];
  const doors = workspaces.map((workspaceId) => {
    const own = frontDoorUsers.filter((user) => user.workspaceId === workspaceId);
    return [accountOf(workspaceId), frontDoorAccount(workspaceId, own)] as const;
  });
  const house = { jetstream: 'enabled', users, exports: EXPORTS };
  const config = {
    server_name: 'agentclash',
    // Manifests and batches of events are larger than the default of 1 MiB.
    max_payload: 8_388_608,
    jetstream,
    accounts: { [HOUSE]: house, ...Object.fromEntries(doors) },
  };
  return JSON.stringify(config, null, 2);
}

function accountOf(workspaceId: string): string {
  return `FRONT_DOOR_${workspaceId}`;
}

function frontDoorAccount(workspaceId: string, users: readonly FrontDoorUser[]) {
  const subjectOf = (message: Message) => listenSubject(message).replace('*', workspaceId);
  const publish = FRONT_DOOR.sends.map(subjectOf);
  const heard = FRONT_DOOR.hears.map(subjectOf);
  const permissions = { publish, subscribe: [...wildcardsOf(heard), '_INBOX.>'] };
  return {
    // What a workspace sends costs the services memory before they can refuse it.
    limits: FRONT_DOOR_LIMITS,
    users: users.map(({ user, password }) => ({ user, password, permissions })),
    imports: [
      ...publish.map((subject) => ({ service: { account: HOUSE, subject } })),
      ...heard.map((subject) => ({ stream: { account: HOUSE, subject } })),
    ],
  };
}

/** One subscription may stand for all events of a workspace: `evt.runs.v1.*.<workspace>`. */
function wildcardsOf(subjects: readonly string[]): string[] {
  return [...new Set(subjects.map((subject) => subject.replace(/[^.]+(?=\.[^.]+$)/, '*')))];
}

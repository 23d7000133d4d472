import type { SandboxDeath } from '../contract.js';
import type { PreparedImage } from '../image.js';
import { InsideClient } from '../inside/client.js';
import type { SessionHost } from '../inside/session.js';
import type { InsideLink } from '../inside/wire.js';
import type { ResolvedSpec } from '../resolved-spec.js';

/** The folder of the process inside, in the sandbox. */
export const INSIDE_DIRECTORY = '/agentclash';
export const INSIDE_PATH = `${INSIDE_DIRECTORY}/inside`;
/** The service ends a sandbox so much later than its lease requires. */
export const LEASE_SLACK_MS = 60_000;

/** All that one sandbox holds at a service. */
export interface RemoteSandbox extends SessionHost {
  readonly id: string;
  /** Of a sandbox whose root is that of an image. */
  readonly image?: PreparedImage | undefined;
  /** Starts the process inside, and the sandbox before that where it does not run yet. */
  connect(spec: ResolvedSpec, signal: AbortSignal | undefined): Promise<Connection>;
  /** The cause of an end that this process did not request; it may have to query the service. */
  deathOf(end: LinkEnd): Promise<SandboxDeath>;
}

export interface Connection {
  inside: InsideClient;
  ended: Promise<LinkEnd>;
}

export interface LinkEnd {
  /** Undefined when the stream broke off before it was reported. */
  exitCode: number | undefined;
  /** For the log. */
  detail: string;
  /** For users, where more is known of the end than its kind. */
  message?: string | undefined;
}

/** A client whose leases are passed on to the service that holds the sandbox, which ends it where this process cannot. */
export class LeasedClient extends InsideClient {
  constructor(
    link: InsideLink,
    private readonly onLease: (leaseMs: number) => void,
  ) {
    super(link);
  }

  override setLease(leaseMs: number): void {
    super.setLease(leaseMs);
    this.onLease(leaseMs);
  }
}

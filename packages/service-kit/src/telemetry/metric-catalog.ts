/** A metric's declaration. Labels have few values each: fixed names, never an id or text of a user. */
export interface MetricDeclaration {
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[];
}

/** Buckets for requests, in seconds. */
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Buckets for long work: a sandbox, a model call, a queue. */
const LONG = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Every metric by name; the library adds those of the process and of Node.js. */
export const METRICS = {
  agentclash_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'HTTP requests until their response was sent; event streams until they ended.',
    labels: ['method', 'route', 'status'],
    buckets: SHORT,
  },
  agentclash_rpc_client_duration_seconds: {
    kind: 'histogram',
    help: 'Requests on the bus until their reply, by its code.',
    labels: ['message', 'code'],
    buckets: SHORT,
  },
  agentclash_rpc_server_duration_seconds: {
    kind: 'histogram',
    help: 'Requests on the bus in the service that handles them.',
    labels: ['message', 'code'],
    buckets: SHORT,
  },
  agentclash_message_sends_total: {
    kind: 'counter',
    help: 'Jobs and events sent to the stream.',
    labels: ['message', 'code'],
  },
  agentclash_message_handling_duration_seconds: {
    kind: 'histogram',
    help: 'Handling of one job or event; of an attempt, all of its work.',
    labels: ['message', 'code'],
    buckets: LONG,
  },
  agentclash_messages_given_up_total: {
    kind: 'counter',
    help: 'Dead letters: jobs and events that are not delivered again, by the code of their last error.',
    labels: ['message', 'code'],
  },
  agentclash_job_wait_seconds: {
    kind: 'histogram',
    help: 'How long a job was in the queue before a worker fetched it; of a redelivery, since it was first sent.',
    labels: ['message'],
    buckets: LONG,
  },
  agentclash_event_lag_seconds: {
    kind: 'histogram',
    help: 'Time from the storing of an event to its delivery.',
    labels: ['message'],
    buckets: LONG,
  },
  agentclash_queue_pending: {
    kind: 'gauge',
    help: 'Messages of a consumer that are not delivered yet; every instance reports the same.',
    labels: ['stream', 'consumer'],
  },
  agentclash_queue_unsettled: {
    kind: 'gauge',
    help: 'Messages of a consumer that are being handled or wait for redelivery.',
    labels: ['stream', 'consumer'],
  },
  agentclash_runs_ended_total: {
    kind: 'counter',
    help: 'Runs that ended.',
    labels: ['status'],
  },
  agentclash_attempts_ended_total: {
    kind: 'counter',
    help: 'Attempts that ended, without those that are retried.',
    labels: ['outcome'],
  },
  agentclash_attempt_deliveries_ended_total: {
    kind: 'counter',
    help: 'Deliveries of attempts that ended, by what followed: `finished`, or `queued` for a retry.',
    labels: ['next'],
  },
  agentclash_attempts_in_flight: {
    kind: 'gauge',
    help: 'Attempts that this executor is running.',
    labels: [],
  },
  agentclash_attempt_duration_seconds: {
    kind: 'histogram',
    help: 'One delivery of an attempt in its executor, from claim to report.',
    labels: [],
    buckets: LONG,
  },
  agentclash_cpu_slot_wait_seconds: {
    kind: 'histogram',
    help: 'How long tests of verifications waited for a CPU slot of this executor.',
    labels: [],
    buckets: LONG,
  },
  agentclash_sandbox_starved_seconds_total: {
    kind: 'counter',
    help: 'Time in which commands with a limit were ready to run and got no CPU, which their limits left out.',
    labels: ['provider'],
  },
  agentclash_sandbox_create_duration_seconds: {
    kind: 'histogram',
    help: 'Opening a sandbox until it responds.',
    labels: ['provider', 'result'],
    buckets: LONG,
  },
  agentclash_model_call_duration_seconds: {
    kind: 'histogram',
    help: 'Calls to models with all their tries and waits; `result` is `ok` or the class of the failure.',
    labels: ['provider', 'result'],
    buckets: LONG,
  },
  agentclash_model_tries_failed_total: {
    kind: 'counter',
    help: 'Tries of calls that a provider rejected or failed; `status` 429 is throttling.',
    labels: ['provider', 'status'],
  },
  agentclash_model_slot_wait_seconds: {
    kind: 'histogram',
    help: 'How long calls to models waited for a slot of their account, in all tries.',
    labels: ['provider'],
    buckets: LONG,
  },
  agentclash_model_tokens_total: {
    kind: 'counter',
    help: 'Tokens as providers report them.',
    labels: ['provider', 'direction'],
  },
  agentclash_model_limits: {
    kind: 'gauge',
    help: 'Sum of the concurrency limits of the accounts used within the last hour.',
    labels: [],
  },
  agentclash_model_slots: {
    kind: 'gauge',
    help: 'Slots of accounts that calls to models hold or held a moment ago, and calls that wait for one.',
    labels: ['state'],
  },
  agentclash_scoring_duration_seconds: {
    kind: 'histogram',
    help: 'Scoring one attempt from its stored evidence, judges included.',
    labels: ['result'],
    buckets: LONG,
  },
} as const satisfies Record<string, MetricDeclaration>;

type Catalog = typeof METRICS;
type MetricName = keyof Catalog;
export type NameOf<Kind extends MetricDeclaration['kind']> = {
  [N in MetricName]: Catalog[N]['kind'] extends Kind ? N : never;
}[MetricName];
export type LabelsOf<N extends MetricName> = Record<Catalog[N]['labels'][number], string>;

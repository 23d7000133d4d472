/** How a metric is declared. Labels have few values each: names of ours, never an id and nothing that a user wrote. */
export interface MetricDeclaration {
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in its unit. */
  buckets?: readonly number[];
}

/** An exchange of messages, in seconds. */
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** What takes its time: a sandbox, a model, a line. */
const LONG = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Every metric of ours, by name; those of the process and of Node.js come with the library. */
export const METRICS = {
  agentclash_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'HTTP requests until their answer was sent; event streams until they ended.',
    labels: ['method', 'route', 'status'],
    buckets: SHORT,
  },
  agentclash_rpc_client_duration_seconds: {
    kind: 'histogram',
    help: 'Requests on the bus until their answer, by what they ended with.',
    labels: ['message', 'code'],
    buckets: SHORT,
  },
  agentclash_rpc_server_duration_seconds: {
    kind: 'histogram',
    help: 'Requests on the bus in the service that answers them.',
    labels: ['message', 'code'],
    buckets: SHORT,
  },
  agentclash_message_sends_total: {
    kind: 'counter',
    help: 'Jobs and events handed to the stream.',
    labels: ['message', 'code'],
  },
  agentclash_message_handling_duration_seconds: {
    kind: 'histogram',
    help: 'Handling of one job or event; of an attempt that is all of its work.',
    labels: ['message', 'code'],
    buckets: LONG,
  },
  agentclash_messages_given_up_total: {
    kind: 'counter',
    help: 'Jobs and events that are tried no more, by the code of what went wrong.',
    labels: ['message', 'code'],
  },
  agentclash_job_wait_seconds: {
    kind: 'histogram',
    help: 'How long a job was in the queue before a worker took it; of a repeat since it was first sent.',
    labels: ['message'],
    buckets: LONG,
  },
  agentclash_event_lag_seconds: {
    kind: 'histogram',
    help: 'How long after it was stored an event was heard.',
    labels: ['message'],
    buckets: LONG,
  },
  agentclash_queue_pending: {
    kind: 'gauge',
    help: 'Messages of a consumer that nobody has taken yet; every instance tells the same.',
    labels: ['stream', 'consumer'],
  },
  agentclash_queue_unsettled: {
    kind: 'gauge',
    help: 'Messages of a consumer that are being worked on, or wait to be offered again.',
    labels: ['stream', 'consumer'],
  },
  agentclash_runs_ended_total: {
    kind: 'counter',
    help: 'Runs that came to their end.',
    labels: ['status'],
  },
  agentclash_attempts_ended_total: {
    kind: 'counter',
    help: 'Attempts that came to their end, retries apart.',
    labels: ['outcome'],
  },
  agentclash_attempt_deliveries_ended_total: {
    kind: 'counter',
    help: 'Deliveries of attempts that ended, by what followed: `finished`, or `queued` to be tried again.',
    labels: ['next'],
  },
  agentclash_attempts_in_flight: {
    kind: 'gauge',
    help: 'Attempts that this executor is driving.',
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
    help: 'Opening a sandbox until it answers.',
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
    help: 'Tries of calls that a provider refused or failed; `status` 429 is throttling.',
    labels: ['provider', 'status'],
  },
  agentclash_model_slot_wait_seconds: {
    kind: 'histogram',
    help: 'How long calls to models waited for a place at their account, in all tries.',
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
    help: 'Calls at once that the limits of the accounts used within the last hour allow together.',
    labels: [],
  },
  agentclash_model_slots: {
    kind: 'gauge',
    help: 'Calls to models that hold a place at their account, and calls that wait for one.',
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
export type MetricName = keyof Catalog;
export type NameOf<Kind extends MetricDeclaration['kind']> = {
  [N in MetricName]: Catalog[N]['kind'] extends Kind ? N : never;
}[MetricName];
export type LabelsOf<N extends MetricName> = Record<Catalog[N]['labels'][number], string>;

// An internal service without HTTP: it requests a run on the bus, follows it, and prints its ranking.
//
//   agentclash admin front-door open nightly > nightly.env
//   env $(cat nightly.env) node examples/internal-service.mjs --pack capital-cities --deployment concise --deployment chatty
//
// --request-id makes it safe to run again: the same id is the same run.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { jetstream } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator } from '@nats-io/transport-node';

const {
  NATS_URL,
  NATS_USER,
  NATS_PASSWORD,
  NATS_NKEY_SEED,
  AGENTCLASH_WORKSPACE_ID: workspace,
} = process.env;
if (!NATS_URL || !workspace) {
  console.error('Set NATS_URL, NATS_USER, NATS_PASSWORD and AGENTCLASH_WORKSPACE_ID: see docs/nats.md');
  process.exit(64);
}
const { values: options } = parseArgs({
  options: {
    pack: { type: 'string' },
    deployment: { type: 'string', multiple: true },
    'input-set': { type: 'string' },
    'request-id': { type: 'string', default: randomUUID() },
  },
});
const requestId = options['request-id'];

const login = NATS_NKEY_SEED
  ? { authenticator: nkeyAuthenticator(new TextEncoder().encode(NATS_NKEY_SEED)) }
  : { user: NATS_USER, pass: NATS_PASSWORD };
const nats = await connect({ servers: NATS_URL, ...login }).catch((error) => {
  console.error(`${NATS_URL} lets ${NATS_USER ?? 'this key'} not in: ${error.message}`);
  process.exit(69);
});
try {
  // Subscribe first: what is published before is not published again by itself.
  const events = nats.subscribe(`evt.runs.v1.*.${workspace}`);
  const stored = await jetstream(nats).publish(`job.runs.v1.request.${workspace}`, JSON.stringify(order()), {
    msgID: requestId,
  });
  console.log(`requested ${requestId}`);
  // A repeat within minutes is dropped by the stream and gets no response: look for what the first one made.
  const known = stored.duplicate
    ? await read('get', { request_id: requestId }).catch(() => undefined)
    : undefined;
  process.exitCode = await follow(events, known);
} finally {
  await nats.close();
}

function order() {
  return {
    request_id: requestId,
    workspace_id: workspace,
    challenge_pack: { slug: options.pack ?? '' },
    // Without any, the pack's default lineup is raced.
    ...(options.deployment && { deployment_names: options.deployment }),
    ...(options['input-set'] && { input_set: options['input-set'] }),
    requested_by: NATS_USER ?? 'internal-service',
  };
}

/** Prints what becomes of the run until it is over; 0 when it completed. */
async function follow(events, known) {
  let runId = known?.id;
  if (known) console.log(`run ${runId}`);
  if (known?.finished_at) return await printRanking(known);
  for await (const message of events) {
    const { event_type, run_id, payload } = message.json();
    if (event_type === 'run.rejected' && payload.request_id === requestId) return rejected(payload.problem);
    if (event_type === 'run.requested' && payload.request_id === requestId && runId === undefined) {
      runId = run_id;
      console.log(`run ${runId}`);
      // A run of an earlier request with this id may be over by now.
      const run = await read('get', { run_id });
      if (run.finished_at !== null) return await printRanking(run);
    }
    if (runId === undefined || run_id !== runId) continue;
    if (event_type === 'run.state_changed') console.log(`state ${payload.to}`);
    if (event_type === 'run.attempt_scored') console.log(`scored ${payload.attempt_id} ${payload.overall}`);
    if (event_type === 'run.completed') return await printRanking({ id: runId, status: payload.status });
  }
  return 69;
}

function rejected({ code, detail, errors = [] }) {
  console.error(`rejected ${code}: ${detail}`);
  for (const { field, message } of errors) console.error(`  ${field} ${message}`);
  return 1;
}

async function printRanking({ id, status }) {
  const { ranking } = await read('scorecard', { run_id: id });
  for (const { rank, name, overall, passed } of ranking.items) {
    console.log(`${rank ?? '-'} ${name} ${overall} ${passed ? 'passed' : 'failed'}`);
  }
  return status === 'completed' ? 0 : 1;
}

/** Sends a request and waits: `{ok: true, data}` or `{ok: false, error: {code, message, details}}`. */
async function read(what, of) {
  const payload = JSON.stringify({ workspace_id: workspace, ...of });
  const reply = await nats.request(`rpc.runs.v1.${what}.${workspace}`, payload, { timeout: 10_000 });
  const { ok, data, error } = reply.json();
  if (ok) return data;
  throw new Error(`${error.code}: ${error.message}`);
}

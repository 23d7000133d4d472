// Publishes the pack of its input, creates two scripted deployments, races them and prints the ranking. With
// AGENTCLASH_API_URL and AGENTCLASH_TOKEN set: node examples/sdk/capital-cities.ts | node examples/sdk/race.ts
import { text } from 'node:stream/consumers';
import { createClient, onEvent, routes } from '@agentclash/sdk';

const { AGENTCLASH_API_URL: baseUrl = 'http://127.0.0.1:8080', AGENTCLASH_TOKEN: token = '' } = process.env;
const client = createClient({ baseUrl, token });

const body = await text(process.stdin);
const { challenge_pack_version_id } = await client.call(routes.packs.publish, { body });

const replies = { right: 'Lima', wrong: 'Cuzco' };
const deployment_ids: string[] = [];
for (const [name, answer] of Object.entries(replies)) {
  const deployment = { name, kind: 'scripted' as const, config: { steps: [{ answer }] } };
  const { id } = await client.call(routes.deployments.create, { body: deployment });
  deployment_ids.push(id);
}

const { id: runId } = await client.call(routes.runs.create, {
  body: { challenge_pack_version_id, deployment_ids },
});

await onEvent(client, runId, ({ event_type }) => {
  if (event_type === 'run.attempt_scored') process.stderr.write('.');
});

const { items } = await client.call(routes.runs.ranking, { params: { run_id: runId } });
for (const { rank, name, overall } of items) console.log(rank, name, overall);

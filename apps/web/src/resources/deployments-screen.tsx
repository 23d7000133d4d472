import { type Client, type Deployment, DeploymentSpec, routes } from '@agentclash/api';
import { recordOf, textOf } from '@agentclash/domain';
import { Link } from 'wouter';
import { usePages } from '../data/use-pages.js';
import { Badge } from '../design/badge.js';
import { NOTHING } from '../design/format.js';
import { Ago } from '../design/time.js';
import { useSession } from '../session/session.js';
import { aliasProblems } from './alias-problems.js';
import { deployedAgent } from './deployed-agent.js';
import { deploymentFields } from './deployment-fields.js';
import type { ResourceKind, Starters } from './form/resource-kind.js';
import { useChoices } from './form/use-choices.js';
import { ResourceScreen } from './resource-screen.js';
import { TestButton } from './test-button.js';

const DEPLOYMENTS: ResourceKind<Deployment, DeploymentSpec> = {
  plural: 'deployments',
  singular: 'deployment',
  lead: 'Runnable agents. A run keeps the revision it was started with.',
  first: (
    <p>
      A coding agent or a model needs a <Link to="/models">model alias</Link>; a program with files of its own
      is made by the command line: <code>agentclash apply -f agents.yaml</code>
    </p>
  ),
  writer: 'member',
  columns: [
    {
      key: 'name',
      title: 'Deployment',
      cell: ({ id, name }) => <Link to={`/deployments/${id}`}>{name}</Link>,
      file: ({ id, name }) => ({ deployment: name, deployment_id: id }),
    },
    {
      ...{ key: 'kind', title: 'Kind', cell: ({ kind }) => <Badge>{kind}</Badge> },
      file: ({ kind }) => ({ kind }),
    },
    {
      ...{ key: 'agent', title: 'Agent', isMinor: true, cell: deployedAgent },
      file: (deployment) => ({ agent: deployedAgent(deployment) }),
    },
    {
      ...{ key: 'variants', title: 'Variants', isMinor: true, cell: variantNames },
      file: ({ variants = {}, baseline = null }) => ({
        variants: Object.keys(variants).join('; '),
        baseline,
      }),
    },
    {
      ...{ key: 'revision', title: 'Revision', isFigure: true, isMinor: true },
      cell: ({ revision }) => revision,
      file: ({ revision }) => ({ revision }),
    },
    {
      ...{ key: 'at', title: 'Changed', isMinor: true, cell: ({ updated_at }) => <Ago at={updated_at} /> },
      file: ({ updated_at }) => ({ updated_at }),
    },
  ],
  useItems: () => usePages(routes.deployments.list, { query: { status: 'active' } }),
  touches: [routes.deployments.list, routes.deployments.get],
  spec: DeploymentSpec,
  specOf: ({ name, kind, runtime_profile_id, config, variants, baseline }) => ({
    name,
    kind,
    ...(runtime_profile_id !== null && { runtime_profile_id }),
    config,
    ...(variants && { variants }),
    ...(baseline !== undefined && { baseline }),
  }),
  fields: deploymentFields,
  unknownNames: aliasProblems,
  Actions: DeploymentTest,
  starters: startersOf(undefined),
  useStarters: useDeploymentStarters,
  create: (client, body, idempotencyKey) => client.call(routes.deployments.create, { body, idempotencyKey }),
  update: (client, deployment_id, body) =>
    client.call(routes.deployments.update, { params: { deployment_id }, body }),
  removal: {
    word: 'Archive',
    consequence: 'It cannot start further runs. Existing runs are kept.',
    remove: (client, deployment_id) => client.call(routes.deployments.archive, { params: { deployment_id } }),
  },
};

/** The templates, those that call a model with this alias; an alias is required where it is undefined. */
function startersOf(alias: string | undefined): Starters {
  return {
    model: { name: 'my-model', kind: 'model', config: { model_alias: alias } },
    program: { name: 'my-program', kind: 'program', config: { command: ['python3', '/agent/solve.py'] } },
    'coding agent': {
      ...{ name: 'my-codex', kind: 'program' },
      config: { preset: 'codex', ...(alias !== undefined && { models: { main: alias } }) },
    },
    endpoint: {
      name: 'my-endpoint',
      kind: 'endpoint',
      config: { url: 'https://agent.example.com/solve' },
    },
    script: { name: 'my-script', kind: 'scripted', config: { steps: [{ answer: 'Paris' }] } },
  };
}

/** The templates with the first alias of the workspace. */
function useDeploymentStarters(): Starters {
  const aliases = useChoices('model_aliases');
  return startersOf(aliases === 'loading' ? '' : aliases?.[0]?.value);
}

/** Tests the model of a deployment; one that calls none has nothing to test but a run. */
function DeploymentTest({ item: { name, config } }: { item: Deployment }) {
  const { client } = useSession();
  const alias = textOf(config.model_alias) || textOf(recordOf(config.models).main);
  const [accountId, model] = [textOf(config.provider_account_id), textOf(config.model)];
  if (alias === '' && accountId === '') return null;
  const connection = async () => (alias === '' ? { accountId, model } : await connectionOf(client, alias));
  return <TestButton name={name} connection={connection} />;
}

async function connectionOf(client: Client, name: string): Promise<{ accountId: string; model: string }> {
  const { items } = await client.call(routes.modelAliases.list, { query: { name } });
  const [alias] = items;
  if (alias === undefined) throw new Error(`There is no model alias ${name}.`);
  return { accountId: alias.provider_account_id, model: alias.model };
}

/** The baseline first. */
function variantNames({ variants = {}, baseline }: Deployment): string {
  const names = Object.keys(variants).filter((name) => name !== baseline);
  return baseline === undefined ? NOTHING : [`${baseline} (baseline)`, ...names].join(', ');
}

export default function DeploymentsScreen() {
  return <ResourceScreen kind={DEPLOYMENTS} />;
}

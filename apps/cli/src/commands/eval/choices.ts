import { type Client, type Deployment, type InputSet, type PackVersion, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { choicesOf, notFound } from '../../lookup/id-part.js';
import { getPack, inputSetsOf, listPacks, versionOf } from '../../lookup/packs.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { choose, chooseSome } from '../../terminal/prompt.js';

/** The version to run: of the pack named, else of the one a person chooses. */
export async function choosePack(
  session: Session,
  client: Client,
  { slug, number }: { slug: string | undefined; number: number | undefined },
): Promise<PackVersion> {
  if (slug !== undefined) return versionOf(await getPack(client, slug), number);
  const packs = (await listPacks(client, { lifecycle_status: 'runnable' })).filter(
    ({ versions }) => versions.length > 0,
  );
  if (packs.length === 0) {
    throw new CommandError('not_found', 'There is no challenge pack to run', {
      hint: 'agentclash challenge-pack publish <file>',
    });
  }
  if (!session.canPrompt) {
    throw new CommandError('usage', 'No challenge pack is given: name one with --pack', {
      choices: choicesOf(packs.map((pack) => pack.slug)),
    });
  }
  const choices = packs.map((pack) => ({ label: `${pack.slug}  ${pack.name}`, value: pack }));
  return versionOf(await choose(session.out, 'Which challenge pack?', choices), number);
}

/** The input set by key or id; a sole one needs no naming. */
export async function chooseInputSet(
  session: Session,
  client: Client,
  { versionId, reference }: { versionId: string; reference: string | undefined },
): Promise<InputSet> {
  const sets = await inputSetsOf(client, versionId);
  if (reference !== undefined) {
    const found = sets.find(({ key, id }) => key === reference || id === reference);
    if (found === undefined) {
      throw await notFound(
        'input set',
        reference,
        sets.map(({ key }) => key),
      );
    }
    return found;
  }
  const [only, ...others] = sets;
  if (only === undefined) throw new CommandError('usage', 'The version has no input set to run');
  if (others.length === 0) return only;
  const choices = sets.map((set) => ({ label: inputSetLabel(set), value: set }));
  if (session.canPrompt) return choose(session.out, 'Which input set?', choices);
  throw new CommandError('usage', 'The version has several input sets: choose one with --input-set', {
    choices: choicesOf(choices.map(({ label }) => label)),
  });
}

/** One line, with the description where there is one. */
function inputSetLabel({ key, name, case_count, description }: InputSet): string {
  const label = `${key}  ${name}, ${plural(case_count, 'case')}`;
  return description === null ? label : `${label}: ${description.replace(/\s+/g, ' ').trim()}`;
}

/** The agents that a person chooses. */
export async function chooseDeployments(session: Session, client: Client): Promise<Deployment[]> {
  const active = await listDeployments(client);
  if (active.length === 0) {
    throw new CommandError('not_found', 'There is no deployment to run', {
      hint: 'agentclash apply -f <file>',
    });
  }
  if (!session.canPrompt) {
    throw new CommandError('usage', 'No deployment is given: name at least one with --deployment', {
      choices: choicesOf(active.map(({ name }) => name)),
      hint: 'A pack that has a lineup "default" in deployment_defaults needs none.',
    });
  }
  const choices = active.map((deployment) => ({
    label: `${deployment.name}  ${deployment.kind}`,
    value: deployment,
  }));
  return chooseSome(session.out, 'Which deployments?', choices);
}

/** The active ones. */
function listDeployments(client: Client): Promise<Deployment[]> {
  return allPages((cursor) =>
    client.call(routes.deployments.list, { query: { status: 'active', limit: PAGE_SIZE, cursor } }),
  );
}

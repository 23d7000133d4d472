import { type Client, routes } from '@agentclash/api';
import { recordOf } from '@agentclash/domain';
import type { SpecProblem } from './form/read-spec.js';
import type { SpecDocument, SpecPath } from './form/spec-document.js';

const MEMBERS: readonly SpecPath[] = [['model_alias'], ['models', 'main'], ['models', 'small']];

/** Names that are looked up, each by a request; the server reports those beyond when the spec is sent. */
const NAMES_MAX = 20;

/** The model aliases that a deployment and its variants name, and the workspace does not have. */
export async function aliasProblems(client: Client, spec: SpecDocument): Promise<SpecProblem[]> {
  const variants = Object.keys(recordOf(spec.valueAt(['variants'])));
  const configs: readonly SpecPath[] = [['config'], ...variants.map((name) => ['variants', name])];
  const named = configs.flatMap((config) =>
    MEMBERS.flatMap((member) => {
      const name = spec.valueAt([...config, ...member]);
      return typeof name === 'string' && name !== ''
        ? [{ field: [...config, ...member].join('.'), name }]
        : [];
    }),
  );
  const names = [...new Set(named.map(({ name }) => name))].slice(0, NAMES_MAX);
  const lists = await Promise.all(
    names.map((name) => client.call(routes.modelAliases.list, { query: { name } })),
  );
  const known = new Set(lists.flatMap(({ items }) => items.map(({ name }) => name)));
  return named
    .filter(({ name }) => names.includes(name) && !known.has(name))
    .map(({ field }) => ({ field, message: 'names no model alias' }));
}

import {
  DEFAULT_LINEUP,
  type DeploymentDefaults,
  deploymentSelector,
  lineupOf,
  nearestName,
} from '@agentclash/challengepack';
import { ContractError, type Deployment, type RunRequest } from '@agentclash/contracts';

/** A deployment as a request or a lineup names it. */
interface NamedDeployment {
  /** As written. */
  name: string;
  /** Name or id of the deployment: the target of the alias, else the same as `name`. */
  selector: string;
}

export interface NamedDeployments {
  names: NamedDeployment[];
  /** The lineup that they come from; absent when the request names them itself. */
  lineup?: string;
}

type Choice = Pick<RunRequest, 'deployment_names' | 'lineup'>;

/**
 * Deployments of a request without ids: its own names, a lineup of the pack, else the lineup `default`. Undefined when it
 * names none and the pack has no default. Fails with `not_found` for a lineup that the pack does not have.
 */
export function namedDeployments(
  { deployment_names, lineup }: Choice,
  defaults: DeploymentDefaults | undefined,
): NamedDeployments | undefined {
  const named = (names: string[]) =>
    names.map((name) => ({ name, selector: deploymentSelector(defaults, name) }));
  if (deployment_names) return { names: named(deployment_names) };
  const found = lineupOf(defaults, lineup ?? DEFAULT_LINEUP);
  if (found) return { names: named(found), lineup: lineup ?? DEFAULT_LINEUP };
  if (lineup === undefined) return undefined;
  throw unknownLineup(lineup, Object.keys(defaults?.lineups ?? {}));
}

/** The resources of the workspace in which names are looked up. */
export interface ActiveDeployments {
  /** Those under one of the names, or with one of the ids. */
  found: readonly Pick<Deployment, 'id' | 'name' | 'status'>[];
  /** Read only for suggestions in an error. */
  names: () => Promise<readonly string[]>;
}

/** The ids behind the names, in order. Fails with `not_found` and, for a deployment that is named twice, `invalid_input`. */
export async function idsOfNamed(
  named: NamedDeployments,
  { found, names }: ActiveDeployments,
  defaults: DeploymentDefaults | undefined,
): Promise<string[]> {
  const idOf = ({ selector }: NamedDeployment) =>
    (
      found.find(({ name, status }) => status === 'active' && name === selector) ??
      found.find(({ id }) => id === selector)
    )?.id;
  const unknown = named.names.filter((each) => idOf(each) === undefined);
  if (unknown.length > 0) {
    throw unknownDeployments(named, unknown, [...(await names()), ...Object.keys(defaults?.aliases ?? {})]);
  }
  const ids = named.names.map((each) => idOf(each) ?? '');
  const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (again >= 0) throw repeatedDeployment(named, again, ids.indexOf(ids[again] ?? ''));
  return ids;
}

/** Most names that an error lists. */
const LISTED_MAX = 20;

export function deploymentsRequired(active: readonly string[], lineups: readonly string[]): ContractError {
  const choices = [
    active.length === 0 ? 'the workspace has no active deployment' : `active deployments: ${listed(active)}`,
    ...(lineups.length > 0 ? [`lineups of the pack: ${listed(lineups)}`] : []),
  ];
  return new ContractError(
    'deployments_required',
    `The run names no deployment, and the pack has no lineup "${DEFAULT_LINEUP}": ${choices.join('; ')}.`,
    { errors: [{ code: 'required', field: 'deployment_names', message: 'or a default lineup is required' }] },
  );
}

function unknownLineup(lineup: string, known: readonly string[]): ContractError {
  const nearest = nearestName(lineup, known);
  const has = known.length === 0 ? 'no lineups' : `no lineup "${lineup}", but ${listed(known)}`;
  return new ContractError('not_found', `The pack has ${has}.`, {
    errors: [
      {
        code: 'not_found',
        field: 'lineup',
        message: 'is not in version.deployment_defaults.lineups',
        ...(nearest !== undefined && { suggestion: nearest }),
      },
    ],
  });
}

function unknownDeployments(
  { lineup, names }: NamedDeployments,
  unknown: readonly NamedDeployment[],
  known: readonly string[],
): ContractError {
  const texts = unknown.map((each) => {
    const nearest = nearestName(each.selector, known);
    return `${described(each)}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`;
  });
  const where = lineup === undefined ? '' : ` The lineup "${lineup}" of the pack names it.`;
  const what = lineup === undefined ? 'deployment or alias' : 'deployment';
  const choices = known.length === 0 ? 'There is none at all' : `There are ${listed(known)}`;
  return new ContractError(
    'not_found',
    `There is no active ${what} ${texts.join(', ')} in this workspace.${where} ${choices}.`,
    {
      errors: unknown.map((each) => {
        const nearest = nearestName(each.selector, known);
        return {
          code: 'not_found',
          field: lineup === undefined ? `deployment_names[${names.indexOf(each)}]` : 'lineup',
          message: `names no active deployment: ${described(each)}`,
          ...(nearest !== undefined && { suggestion: nearest }),
        };
      }),
    },
  );
}

function repeatedDeployment({ lineup, names }: NamedDeployments, at: number, first: number): ContractError {
  const [one, other] = [names[first], names[at]];
  const who = lineup === undefined ? 'The request' : `The lineup "${lineup}"`;
  const how =
    one?.name === other?.name
      ? `"${one?.name}" twice`
      : `one deployment as "${one?.name}" and as "${other?.name}"`;
  return new ContractError(
    'invalid_input',
    `${who} names ${how}. To run every case more than once, set repetitions.`,
    {
      errors: [
        {
          code: 'not_unique',
          field: lineup === undefined ? `deployment_names[${at}]` : 'lineup',
          message: 'names a deployment twice',
        },
      ],
    },
  );
}

function described({ name, selector }: NamedDeployment): string {
  return name === selector ? `"${name}"` : `"${selector}" (alias "${name}")`;
}

function listed(names: readonly string[]): string {
  const more = names.length - LISTED_MAX;
  return more > 0 ? `${names.slice(0, LISTED_MAX).join(', ')} and ${more} more` : names.join(', ');
}

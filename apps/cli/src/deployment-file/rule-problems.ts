import { protocolProblem, skillsProblem } from '@agentclash/api';
import {
  argumentProblems,
  type LiteralProblem,
  secretReferences,
  serverHeaderProblem,
  serverUrlProblem,
  suggestedName,
  variableProblems,
} from '@agentclash/challengepack';
import { isRecord, readCredentialReference } from '@agentclash/domain';
import type { Problem } from '../yaml/problem-line.js';
import type { FieldPath } from '../yaml/yaml-file.js';
import type { DeploymentFile, Described } from './read.js';

type Preset = import('@agentclash/agent-presets').Preset;
type Presets = ReadonlyMap<string, Preset>;

/** A problem at a place of an entry. */
interface Found {
  at: FieldPath;
  code: string;
  message: string;
  suggestion?: string;
}

/** The problems that the server would find in an entry alone, without those that the schemas have reported. */
export async function ruleProblems({ source, described, problems }: DeploymentFile): Promise<Problem[]> {
  const known = new Set(problems.map(({ field }) => field));
  const entries = described.map((entry) => ({ entry, authored: valueAt(source.value, entry.at) }));
  const presets = entries.some(({ authored }) => namedPreset(authored) !== undefined)
    ? (await import('@agentclash/agent-presets')).builtinPresets()
    : new Map<string, Preset>();
  return entries
    .flatMap(({ entry, authored }) =>
      foundIn(entry, authored, presets).map(({ at, ...problem }) =>
        source.problemAt([...entry.at, ...at], problem),
      ),
    )
    .filter(({ field }) => !known.has(field));
}

function foundIn({ kind }: Described, authored: unknown, presets: Presets): Found[] {
  if (!isRecord(authored)) return [];
  if (kind === 'provider_account') return credentialProblems(authored, []);
  if (kind !== 'deployment') return [];
  const { config } = authored;
  if (!isRecord(config)) return [];
  const variants = isRecord(authored.variants) ? authored.variants : {};
  return [
    ...credentialProblems(config, ['config']),
    ...presetProblems(config, variants, presets),
    ...configProblems(config, ['config'], {}),
    ...Object.entries(variants).flatMap(([name, variant]) =>
      isRecord(variant) ? configProblems(variant, ['variants', name], config) : [],
    ),
    ...baselineProblems(authored.baseline, variants),
  ];
}

const CREDENTIAL = 'must be workspace-secret://KEY: store the value as a secret and name it here';

function credentialProblems({ credential_reference: reference }: Holder, at: FieldPath): Found[] {
  if (typeof reference !== 'string' || reference === '') return [];
  // The settings of the server decide whether its environment holds credentials.
  if (!('problem' in readCredentialReference(reference, { env: 'allow' }))) return [];
  return [{ at: [...at, 'credential_reference'], code: 'wrong_reference', message: CREDENTIAL }];
}

function presetProblems(config: Holder, variants: Holder, presets: Presets): Found[] {
  const { preset: name, skills, protocol } = config;
  if (typeof name !== 'string') return [];
  const preset = presets.get(name);
  if (preset === undefined) {
    const names = [...presets.keys()];
    const suggestion = suggestedName(name, names);
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    const message = `there is no preset "${name}"${hint || `: must be ${names.join(' or ')}`}`;
    const problem = { code: 'unknown_reference', message, ...(suggestion && { suggestion }) };
    return [{ at: ['config', 'preset'], ...problem }];
  }
  const unspoken = protocol === 'acp' ? protocolProblem(preset) : undefined;
  const unplaced = skillsProblem(preset);
  const skilled: [FieldPath, unknown][] = [
    [['config', 'skills'], skills],
    ...Object.entries(variants).map(([variant, value]): [FieldPath, unknown] => [
      ['variants', variant, 'skills'],
      isRecord(value) ? value.skills : undefined,
    ]),
  ];
  return [
    ...(unspoken === undefined
      ? []
      : [{ at: ['config', 'protocol'], code: 'contradiction', message: unspoken }]),
    ...skilled.flatMap(([at, value]) =>
      unplaced !== undefined && Array.isArray(value) && value.length > 0
        ? [{ at, code: 'contradiction', message: unplaced }]
        : [],
    ),
  ];
}

/** Of a configuration, or of the members of one that a variant changes. */
function configProblems(
  { command, env, mcp_servers: servers }: Holder,
  at: FieldPath,
  base: Holder,
): Found[] {
  const own = textsOf(env);
  const merged = env === undefined ? {} : { ...textsOf(base.env), ...own };
  return [
    ...located(argumentProblems(listOfTexts(command)), [...at, 'command']),
    ...located(
      variableProblems(merged).filter(({ name }) => name === undefined || Object.hasOwn(own, name)),
      [...at, 'env'],
    ),
    ...(Array.isArray(servers) ? servers : []).flatMap((server: unknown, index) =>
      isRecord(server) ? serverProblems(server, [...at, 'mcp_servers', index]) : [],
    ),
  ];
}

function serverProblems({ command, env, url, headers }: Holder, at: FieldPath): Found[] {
  const words = listOfTexts(command);
  const unchanged = 'is passed unchanged: no secret reaches the sandbox';
  const ofUrl = typeof url === 'string' ? serverUrlProblem(url, textsOf(headers)) : undefined;
  return [
    ...located(secretReferences(Object.fromEntries(words.entries()), unchanged), [...at, 'command']),
    ...located(argumentProblems(words), [...at, 'command']),
    ...located(variableProblems(textsOf(env)), [...at, 'env']),
    ...(ofUrl ? [{ ...ofUrl, at: [...at, 'url'] }] : []),
    ...Object.entries(textsOf(headers)).flatMap(([name, value]) => {
      const problem = serverHeaderProblem(name, value);
      return problem ? [{ ...problem, at: [...at, 'headers', name] }] : [];
    }),
  ];
}

/** The schemas do not report it beside a name of a variant that is not valid. */
function baselineProblems(baseline: unknown, variants: Holder): Found[] {
  const names = Object.keys(variants);
  if (typeof baseline !== 'string' || names.length === 0 || names.includes(baseline)) return [];
  const suggestion = suggestedName(baseline, names);
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  const message = `names no variant: must be one of ${names.join(', ')}${hint}`;
  return [{ at: ['baseline'], code: 'unknown_reference', message, ...(suggestion && { suggestion }) }];
}

function located(problems: readonly LiteralProblem[], at: FieldPath): Found[] {
  return problems.map(({ name, ...problem }) => ({
    ...problem,
    at: name === undefined ? at : [...at, /^\d+$/.test(name) ? Number(name) : name],
  }));
}

type Holder = Record<string, unknown>;

function namedPreset(authored: unknown): string | undefined {
  const preset = valueAt(authored, ['config', 'preset']);
  return typeof preset === 'string' ? preset : undefined;
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : [];
}

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  );
}

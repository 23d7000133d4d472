import { builtinPresets, type Preset } from '@agentclash/agent-presets';
import { suggestedName } from '@agentclash/challengepack';
import {
  type DeploymentSpec,
  type FieldProblem,
  protocolProblem,
  skillsProblem,
} from '@agentclash/contracts';
import { providerKeyOf, WIRES_OF_PROVIDER, type WireKey } from '@agentclash/domain';

type ProgramConfig = Extract<DeploymentSpec, { kind: 'program' }>['config'];

/** The needs of a coding agent; those of a stored preset may be incomplete. */
export type PresetNeeds = Pick<Preset, 'name' | 'wires'> & Partial<Pick<Preset, 'resources'>>;

/** Why a coding agent cannot call a model of a provider; the end of a sentence about it. */
export function wireProblem({ wires }: PresetNeeds, providerKey: string): string | undefined {
  const provider = providerKeyOf(providerKey);
  const served: readonly WireKey[] = provider === undefined ? [] : WIRES_OF_PROVIDER[provider];
  if (wires.some((wire) => served.includes(wire))) return undefined;
  return `uses ${wires.join(' or ')}, which the provider ${providerKey} of its model does not serve: name a model alias of another provider.`;
}

/** The problems of a preset that is not one of this release. */
export function presetNameProblems(preset: ProgramConfig['preset']): FieldProblem[] {
  if (typeof preset !== 'string') return [];
  const names = [...builtinPresets().keys()];
  if (names.includes(preset)) return [];
  const nearest = suggestedName(preset, names);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const message = `names no preset of this release: ${names.join(', ')}; or give a preset document${hint}`;
  return [{ code: 'not_found', field: 'config.preset', message }];
}

/** The problems of skills for which a deployment's preset has no folder. */
export function presetSkillsProblems(
  preset: ProgramConfig['preset'],
  skills: NonNullable<ProgramConfig['skills']>,
): FieldProblem[] {
  const definition = typeof preset === 'string' ? builtinPresets().get(preset) : undefined;
  const message = definition && skills.length > 0 ? skillsProblem(definition) : undefined;
  return message === undefined ? [] : [{ code: 'contradiction', field: 'config.skills', message }];
}

/** The problems of a protocol that a deployment's preset has no command for. */
export function presetProtocolProblems({
  preset,
  protocol,
}: Pick<ProgramConfig, 'preset' | 'protocol'>): FieldProblem[] {
  const definition = typeof preset === 'string' ? builtinPresets().get(preset) : undefined;
  const message = protocol && definition && protocolProblem(definition);
  if (message === undefined) return [];
  const names = [...builtinPresets().values()].filter(({ acp }) => acp !== undefined).map(({ name }) => name);
  const hint = `presets of this release that have one: ${names.join(', ')}`;
  return [{ code: 'contradiction', field: 'config.protocol', message: `${message}; ${hint}` }];
}

/** The problems of a deployment's preset that cannot call its model, which is one of the provider. */
export function presetModelProblems(preset: ProgramConfig['preset'], providerKey: string): FieldProblem[] {
  const definition = typeof preset === 'string' ? builtinPresets().get(preset) : preset;
  const problem = definition && wireProblem(definition, providerKey);
  if (problem === undefined) return [];
  return [{ code: 'incompatible', field: 'config.models.main', message: `${definition?.name} ${problem}` }];
}

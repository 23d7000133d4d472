import { type RenderedProgram, renderPreset, type TextSource } from '@agentclash/agent-presets';
import type { PlannedFile, PlannedPreset, ProgramModels } from '@agentclash/attempt-plan';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { BROKER_URL, wiresOf } from './program-broker.js';
import { requestedModels } from './requested-models.js';

export const HOME_DIRECTORY = '/home/agent';
/** Below it, each package of an agent is where programs look for it. */
const AGENTS_DIRECTORY = '/opt/agents';

export function packagesDirectory(preset: Pick<PlannedPreset, 'definition'>): string {
  return `${AGENTS_DIRECTORY}/${preset.definition.name}/node_modules`;
}
export const NODE_DIRECTORY = `${AGENTS_DIRECTORY}/node`;

interface PresetRun {
  models: ProgramModels;
  token: string;
  hasTools: boolean;
  prompt: string;
  isAcp: boolean;
}

/** A preset's command with everything filled in. Throws AttemptEnded for models whose API it does not have. */
export function presetProgram(
  { definition, instructions }: PlannedPreset,
  { models, token, hasTools, prompt, isAcp }: PresetRun,
): RenderedProgram {
  const available = wiresOf(models.main);
  const wire = definition.wires.find((each) => available.includes(each));
  if (wire === undefined) {
    const message = `${definition.name} has no API of the provider ${models.main.provider_key}`;
    throw new AttemptEnded({ because: 'provider', class: 'unsupported', message });
  }
  return renderPreset(definition, {
    url: BROKER_URL,
    token,
    ...requestedModels(models, wire),
    prompt,
    home: HOME_DIRECTORY,
    packages: packagesDirectory({ definition }),
    node: `${NODE_DIRECTORY}/bin/node`,
    wire,
    hasMcp: hasTools,
    isAcp,
    ...(instructions !== undefined && { instructions }),
  });
}

/** Files of the deployment's skills, below the agent's directory of skills. Throws AttemptEnded where it has none. */
export function skillFiles(
  { definition, skills = [] }: PlannedPreset,
  { skillsDirectory }: RenderedProgram,
): PlannedFile[] {
  if (skills.length === 0) return [];
  if (skillsDirectory === undefined) {
    const message = `${definition.name} has no place for skills`;
    throw new AttemptEnded({ because: 'infra', code: 'incompatible_deployment', message });
  }
  return skills.flatMap(({ name, files }) =>
    files.map(({ path, artifact }) => ({ path: `${skillsDirectory}/${name}/${path}`, artifact })),
  );
}

export type LineSource = Extract<TextSource, { path: string[] }>;

/** Where a program's output is. */
interface SourceReaders {
  stdout: Buffer;
  /** Reads one of its files. */
  file: (path: string) => Promise<string | 'too_long'>;
  /** Reads the lines of its standard output. */
  lines: (source: LineSource) => Promise<string | undefined>;
}

/** The text that a program's output holds for a source. */
export async function sourcedText(source: TextSource, output: SourceReaders): Promise<string | undefined> {
  switch (source.from) {
    case 'stdout':
      return output.stdout.toString();
    case 'file':
      return (await output.file(source.file.replaceAll('{{home}}', HOME_DIRECTORY))) || undefined;
    default:
      return await output.lines(source);
  }
}

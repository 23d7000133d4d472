import type { WireKey } from '@agentclash/domain';
import { PLACEHOLDER, type Placeholder, type Preset } from './schema.js';

/** The values of an attempt that a preset's texts hold. */
export interface PresetValues {
  /** Address of the broker inside of the sandbox, without a path. */
  url: string;
  token: string;
  /** Names of the models that the broker accepts: the provider's where they are unambiguous. */
  model: string;
  small_model: string;
  prompt: string;
  home: string;
  /** The folder that holds the packages, called `node_modules`. */
  packages: string;
  /** The program of Node.js. */
  node: string;
  wire: WireKey;
  /** The pack's tools are served at `/mcp`. */
  hasMcp: boolean;
  /** A deployment's instructions. */
  instructions?: string;
  /** Its command is that of an agent of ACP, whose session has the prompt and the tools. */
  isAcp?: boolean;
}

/** A command with everything filled in. */
export interface RenderedProgram {
  command: string[];
  stdin: string;
  /** With the instructions, where they have no file. */
  prompt: string;
  env: Record<string, string>;
  /** Content by absolute path. */
  files: { path: string; content: string }[];
  /** Absolute; absent for an agent without skills. */
  skillsDirectory?: string;
}

/** Fills a preset in for one attempt. Placeholders inside of values stay as they are. */
export function renderPreset(preset: Preset, values: PresetValues): RenderedProgram {
  const { instructions, isAcp = false, wire } = values;
  const hasMcp = values.hasMcp && !isAcp;
  const settings = preset.wire_settings[wire] ?? {};
  const mcp = hasMcp ? preset.mcp : undefined;
  const isInPrompt = preset.instructions === undefined && instructions !== undefined;
  const prompt = isInPrompt ? `${instructions}\n\n${values.prompt}` : values.prompt;
  const filled: Record<Exclude<Placeholder, 'mcp'>, string> = { ...values, prompt };
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (placeholder, name: string) => {
      if (name === 'mcp') return fill(mcp?.settings ?? '').trimEnd();
      if (name.startsWith('wire.')) return fill(settings[name.slice('wire.'.length)] ?? '');
      return filled[name as keyof typeof filled] ?? placeholder;
    });
  const files = Object.entries(preset.files).map(([path, content]) => ({
    path: fill(path),
    content: fill(content),
  }));
  if (preset.instructions && instructions !== undefined) {
    files.push({ path: fill(preset.instructions.file), content: instructions });
  }
  const command = (isAcp && preset.acp?.command) || [...preset.command, ...(mcp?.arguments ?? [])];
  return {
    command: command.map(fill),
    stdin: isAcp ? '' : fill(preset.stdin ?? ''),
    prompt,
    env: Object.fromEntries(Object.entries(preset.env).map(([name, text]) => [name, fill(text)])),
    files,
    ...(preset.skills && { skillsDirectory: fill(preset.skills.directory) }),
  };
}

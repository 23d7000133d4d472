import { WIRE_KEYS } from '@agentclash/domain';
import { z } from 'zod';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** A package of the npm registry, by its exact version and digest. */
export const packageSchema = z.strictObject({
  name: z.string().max(214).regex(PACKAGE_NAME, 'is no name of an npm package'),
  version: z
    .string()
    .max(128)
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]*$/, 'is no exact version'),
  integrity: z.string().regex(INTEGRITY, 'is no sha512 integrity'),
  /** `process.platform` and `process.arch` of the only machines that can run it, as in `linux-x64`. */
  platform: z.string().max(32).optional(),
});

/** Selects lines of a program's standard output that are JSON objects, by values at dotted paths. */
const linesSchema = {
  where: z.record(z.string(), z.string()).default({}),
  /** Keys from the object to the text; a list of parts is joined by the `text` of each. */
  path: z.array(z.string()).min(1),
};

const textSourceSchema = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('stdout') }),
  z.strictObject({
    from: z.literal('file'),
    file: z.string().regex(/^(?:\{\{home\}\}|\/tmp)\/[^{}]+$/, 'must lie below {{home}} or /tmp'),
  }),
  z.strictObject({ from: z.literal('last_json_line'), ...linesSchema }),
  z.strictObject({ from: z.literal('joined_json_lines'), ...linesSchema }),
]);

/**
 * How to run one coding agent. Texts may hold placeholders: `url`, `token`, `model`, `small_model`, `prompt`, `home`,
 * `packages`, `node`, `mcp` and those of `wire_settings` as `wire.KEY`, each in double braces.
 */
export const presetSchema = z.strictObject({
  name: z.string().regex(NAME, 'has lower-case letters, digits and hyphens'),
  title: z.string().min(1).max(100),
  license: z.string().max(100).optional(),
  homepage: z.url().optional(),
  /** The APIs that it can use, the preferred one first. */
  wires: z.array(z.enum(WIRE_KEYS)).min(1),
  /** Needs a Node.js of its own. */
  node: z.boolean().default(false),
  packages: z.array(packageSchema).default([]),
  /** A file beside the preset with its packages and all their dependencies. */
  lockfile: z
    .string()
    .regex(/^[\w.-]+\.json$/)
    .optional(),
  wire_settings: z.partialRecord(z.enum(WIRE_KEYS), z.record(z.string(), z.string())).default({}),
  command: z.array(z.string()).min(1),
  stdin: z.string().optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
  files: z
    .record(z.string().regex(/^\{\{home\}\}\/[^{}]+$/, 'must lie below {{home}}'), z.string())
    .default({}),
  /** Where a deployment's instructions go; without it they precede the prompt. */
  instructions: z.strictObject({ file: z.string() }).optional(),
  /** Where a deployment's skills go; without it a deployment with skills is refused. */
  skills: z.strictObject({ directory: z.string() }).optional(),
  /** How the pack's tools are named to it; without it they are not. */
  mcp: z
    .strictObject({ arguments: z.array(z.string()).default([]), settings: z.string().default('') })
    .optional(),
  /** Its command as an agent of the Agent Client Protocol; without it a deployment with `protocol: acp` is refused. */
  acp: z.strictObject({ command: z.array(z.string()).min(1) }).optional(),
  final_output: textSourceSchema.default({ from: 'stdout' }),
  /** The text of a failure that its exit code does not show. */
  failure: textSourceSchema.optional(),
  /** The least resources of its runtime profile. */
  resources: z
    .strictObject({ memory_bytes: z.int().positive().optional(), pids: z.int().positive().optional() })
    .default({}),
});

export type Preset = z.infer<typeof presetSchema>;
export type PresetPackage = z.infer<typeof packageSchema>;
export type TextSource = z.infer<typeof textSourceSchema>;

export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export const PLACEHOLDERS = [
  'url',
  'token',
  'model',
  'small_model',
  'prompt',
  'home',
  'packages',
  'node',
  'mcp',
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A text of a preset that cannot be filled in. */
export interface PlaceholderProblem {
  /** From the document to the text. */
  path: (string | number)[];
  message: string;
}

/** Placeholders that the preset uses and that nothing fills. */
export function placeholderProblems(preset: Preset): PlaceholderProblem[] {
  const filled = new Set<string>(PLACEHOLDERS);
  const wires = preset.wires.map((wire) => Object.keys(preset.wire_settings[wire] ?? {}));
  const [first = []] = wires;
  for (const key of first.filter((each) => wires.every((keys) => keys.includes(each))))
    filled.add(`wire.${key}`);
  const texts: [PlaceholderProblem['path'], string | undefined][] = [
    ...preset.command.map((text, index): [PlaceholderProblem['path'], string] => [['command', index], text]),
    [['stdin'], preset.stdin],
    ...(preset.acp?.command ?? []).map((text, index): [PlaceholderProblem['path'], string] => [
      ['acp', 'command', index],
      text,
    ]),
    ...entries('env', preset.env),
    ...Object.keys(preset.files).map((file): [PlaceholderProblem['path'], string] => [['files', file], file]),
    ...entries('files', preset.files),
    ...(preset.mcp?.arguments ?? []).map((text, index): [PlaceholderProblem['path'], string] => [
      ['mcp', 'arguments', index],
      text,
    ]),
    [['mcp', 'settings'], preset.mcp?.settings],
    [['instructions', 'file'], preset.instructions?.file],
    [['skills', 'directory'], preset.skills?.directory],
    ...Object.entries(preset.wire_settings).flatMap(([wire, settings]) =>
      entries(['wire_settings', wire], settings ?? {}),
    ),
  ];
  return texts.flatMap(([path, text = '']) =>
    [...text.matchAll(PLACEHOLDER)]
      .filter(([, name = '']) => !filled.has(name))
      .map(([placeholder]) => ({ path, message: `nothing fills the placeholder ${placeholder}` })),
  );
}

function entries(
  member: string | string[],
  texts: Readonly<Record<string, string>>,
): [PlaceholderProblem['path'], string][] {
  return Object.entries(texts).map(([key, text]) => [[member, key].flat(), text]);
}

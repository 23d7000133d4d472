import { isRecord, type Payload, VARIANT_VERDICTS } from '@agentclash/domain';
import { z } from 'zod';
import { EndpointConfig, ModelConfig, ProgramConfig, ScriptedConfig } from './agent-configs.js';

/** Variants of one deployment. */
export const VARIANTS_MAX = 16;

export const VariantName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 of A to Z, a to z, digits, ".", "_" and "-"');

const { command, instructions, skills, env, files, models, mcp_servers } = ProgramConfig.shape;
const { model_alias, policy_spec, sampling, tools } = ModelConfig.shape;
const { steps, by_case } = ScriptedConfig.shape;

/** The members of a deployment's configuration that its variants may change, by its kind. */
export const VARIANT_CONFIGS = {
  program: z.strictObject({
    command,
    instructions,
    skills,
    env,
    files,
    mcp_servers,
    models: models.unwrap().partial().optional(),
  }),
  model: z.strictObject({ model_alias, policy_spec, sampling, tools, mcp_servers }),
  endpoint: z.strictObject({
    url: EndpointConfig.shape.url.optional(),
    headers: EndpointConfig.shape.headers,
  }),
  scripted: z.strictObject({ steps: steps.unwrap().optional(), by_case }),
};

const CONFIGS = {
  program: ProgramConfig,
  model: ModelConfig,
  endpoint: EndpointConfig,
  scripted: ScriptedConfig,
};

/** One lane of a run whose deployment has variants. */
export const LaneVariant = z.object({
  /** The name of the deployment. */
  deployment: z.string(),
  /** The name of the variant. */
  name: z.string(),
  /** The variant that the others of the deployment are compared with. */
  baseline: z.string(),
});
export type LaneVariant = z.infer<typeof LaneVariant>;

const figure = z.number().nullable();

/** A variant against the baseline of its deployment, paired by case; higher is better. */
export const VariantComparison = z.looseObject({
  run_agent_id: z.string(),
  baseline_run_agent_id: z.string(),
  deployment: z.string(),
  variant: z.string(),
  baseline: z.string(),
  verdict: z.enum(VARIANT_VERDICTS),
  /** Passing, where the pack has a bar for it; else the overall score. */
  measure: z.enum(['pass', 'overall']),
  /** Cases that both have, and the means of both over these. */
  cases: z.number().int(),
  baseline_mean: figure,
  variant_mean: figure,
  difference: figure,
  /** 95 %, within -1..1. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** For all variants together: on one side of 0 iff `p_adjusted` is below 0.05. */
  interval_adjusted: z.tuple([z.number(), z.number()]).nullable().optional(),
  p: figure,
  /** Holm-adjusted over all variants of the run, which are `tests`; it decides the verdict. */
  p_adjusted: figure,
  tests: z.number().int(),
  /** The difference that `more_cases` is counted for. */
  detect: z.number(),
  /** Where no difference is shown: cases besides these that show one of `detect` with 80 % power; null for none. */
  more_cases: z.number().int().nullable(),
  /** A difference of `detect` or more is excluded, in both directions. */
  negligible: z.boolean(),
});
export type VariantComparison = z.infer<typeof VariantComparison>;

/** The configuration of a variant: maps are merged by their members, everything else is replaced. */
export function variantConfig(config: Payload, variant: Payload): Payload {
  const merged = Object.entries(variant).map(([member, value]): [string, unknown] => {
    const own = config[member];
    return [member, isRecord(own) && isRecord(value) ? { ...own, ...value } : value];
  });
  // A model alias names account and model.
  const { provider_account_id, model, ...others } = config;
  return { ...('model_alias' in variant ? others : config), ...Object.fromEntries(merged) };
}

interface Varied {
  kind: keyof typeof CONFIGS;
  config: Payload;
  variants?: Record<string, Payload> | undefined;
  baseline?: string | undefined;
}

/** Reports variants without a baseline, and those whose configuration is not valid. */
export function refuseVariants({ kind, config, variants, baseline }: Varied, refused: z.RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string) =>
    refused.addIssue({ code: 'custom', path, message });
  if (variants === undefined) {
    if (baseline !== undefined) refuse(['baseline'], 'is for variants, and there are none');
    return;
  }
  const names = Object.keys(variants);
  if (names.length < 2) refuse(['variants'], 'must have a baseline and at least one more');
  if (names.length > VARIANTS_MAX) refuse(['variants'], `must have at most ${VARIANTS_MAX} entries`);
  // Without a variant there is nothing to name.
  if (names.length === 0) return;
  if (baseline === undefined) refuse(['baseline'], `is required beside variants: one of ${names.join(', ')}`);
  else if (!Object.hasOwn(variants, baseline)) {
    refuse(['baseline'], `names no variant: must be one of ${names.join(', ')}`);
  }
  for (const [name, variant] of Object.entries(variants)) {
    const checked = CONFIGS[kind].safeParse(variantConfig(config, variant));
    if (checked.success) continue;
    for (const { path, message } of checked.error.issues) refuse(['variants', name, ...path], message);
  }
}

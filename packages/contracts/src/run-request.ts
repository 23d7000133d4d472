import { MODEL_CALL_MODES, RETRY_CHOICES } from '@agentclash/domain';
import { z } from 'zod';
import { limitFields } from './limits.js';
import { Seed, StopWhen } from './races.js';
import { PlainText, Uuid } from './values.js';
import { VARIANTS_MAX, VariantName } from './variants.js';

/** Limits that one run sets over profile and pack. */
export const RunLimits = z.strictObject(limitFields);

/** Ways to name the deployments of a run; with none of them the version's lineup `default` is raced. */
const DEPLOYMENT_CHOICES = ['deployment_ids', 'deployment_names', 'lineup'] as const;

/** Cases that one request may name. */
const CASES_NAMED_MAX = 10_000;

/** Ways to choose cases; with none of them a run is of all cases of its input set. */
const CASE_CHOICES = ['case_keys', 'only_failed_of'] as const;

const RunName = PlainText.trim().min(1).max(200);
/** Of several lines. */
const Note = z
  .string()
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u, 'must not hold control characters but line breaks and tabs')
  .trim()
  .min(1)
  .max(10_000);
const LabelKey = PlainText.min(1).max(64);
const LabelValue = PlainText.max(256);
/** Labels of runs. */
export const Labels = z.record(LabelKey, LabelValue);

/** The description of a run that users change: null removes a member, as in a JSON merge patch. */
export const RunEdit = z
  .strictObject({
    name: RunName.nullable(),
    note: Note.nullable(),
    labels: z.record(LabelKey, LabelValue.nullable()),
  })
  .partial()
  .refine((edit) => Object.keys(edit).length > 0, 'must change the name, the note or labels');
export type RunEdit = z.infer<typeof RunEdit>;

export const RunRequestFields = z.strictObject({
  challenge_pack_version_id: Uuid,
  deployment_ids: z.array(Uuid).min(1).max(64).optional(),
  /** Each an alias of the version's `deployment_defaults`, or the name or id of an active deployment; aliases win. */
  deployment_names: z.array(PlainText.min(1).max(128)).min(1).max(64).optional(),
  /** A lineup of the version's `deployment_defaults`. */
  lineup: PlainText.min(1).max(128).optional(),
  /** Of the deployments that have variants; default: all of each. Other deployments race as they are. */
  variants: z.array(VariantName).min(1).max(VARIANTS_MAX).optional(),
  challenge_input_set_id: Uuid.optional(),
  /** Of the input set; default: all its cases. */
  case_keys: z.array(PlainText.min(1).max(256)).min(1).max(CASES_NAMED_MAX).optional(),
  /** A run of the pack that has ended: the cases that some attempt of it did not pass. */
  only_failed_of: Uuid.optional(),
  name: RunName.optional(),
  repetitions: z.number().int().min(1).max(100).default(1),
  max_concurrency: z.number().int().min(1).max(10_000).optional(),
  limits: RunLimits.optional(),
  /** Informs model agents of mode native about the progress of their peers on the same case. */
  race_context: z.boolean().optional(),
  /** Fewest steps between two such messages; default 3. */
  race_context_min_step_gap: z.number().int().min(1).max(10).optional(),
  labels: Labels.optional(),
  /**
   * How models of agents and simulated users are called: `record` keeps requests and replies with the attempts, `replay`
   * serves those of the run `replay_from`, `cache` serves replies to the same requests in the workspace. Judges are
   * called live.
   */
  model_calls: z.enum(MODEL_CALL_MODES).optional(),
  /** The recorded run whose replies are served; only with `replay`. */
  replay_from: Uuid.optional(),
  /** Ends the run before its last case. */
  stop_when: StopWhen.optional(),
  /** Draws the order of the cases; default: drawn at random for a run with `stop_when`, the order of the pack for others. */
  seed: Seed.optional(),
});

type Choice = (typeof DEPLOYMENT_CHOICES | typeof CASE_CHOICES)[number];

/** Reports a request that names its deployments, or its cases, in more than one way. */
export function refuseSeveralChoices(
  request: { readonly [K in Choice]?: unknown },
  context: z.RefinementCtx,
): void {
  for (const choices of [DEPLOYMENT_CHOICES, CASE_CHOICES]) {
    const [one, other] = choices.filter((choice) => isGiven(request[choice]));
    if (one === undefined || other === undefined) continue;
    context.addIssue({ code: 'custom', path: [one], message: `and ${other} exclude each other` });
  }
}

function isGiven(choice: unknown): boolean {
  return choice !== undefined && !(Array.isArray(choice) && choice.length === 0);
}

/** The same as a JSON Schema. */
export const ONE_CHOICE_AT_MOST = {
  not: {
    anyOf: [DEPLOYMENT_CHOICES, CASE_CHOICES].flatMap((choices) =>
      choices.flatMap((one, at) => choices.slice(at + 1).map((other) => ({ required: [one, other] }))),
    ),
  },
};

export const RunRequest = RunRequestFields.superRefine(refuseSeveralChoices).meta(ONE_CHOICE_AT_MOST);
export type RunRequest = z.infer<typeof RunRequest>;

/** As services send it: the ids are always there, and empty where deployments are named otherwise. */
export const SentRunRequest = RunRequestFields.extend({ deployment_ids: z.array(Uuid).max(64) }).superRefine(
  refuseSeveralChoices,
);

/** Attempts that one retry may name. */
const RETRIED_MAX = 1_000;

export const RetryRequest = z.strictObject({
  /**
   * `infra`: failures that no agent caused (`infra_error`, `provider_error`). `failed`: all that did not pass. Else the
   * attempts themselves. Anything but `infra` marks the run `selective_retry`.
   */
  only: z.union([z.enum(RETRY_CHOICES), z.array(Uuid).min(1).max(RETRIED_MAX)]),
});
export type RetryRequest = z.infer<typeof RetryRequest>;

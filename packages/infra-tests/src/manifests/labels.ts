import { z } from 'zod';

export const Labels = z.record(z.string(), z.string());
export type Labels = z.infer<typeof Labels>;

const OPERATORS = {
  In: (value: string | undefined, values: string[]) => value !== undefined && values.includes(value),
  NotIn: (value: string | undefined, values: string[]) => value === undefined || !values.includes(value),
  Exists: (value: string | undefined) => value !== undefined,
  DoesNotExist: (value: string | undefined) => value === undefined,
};

export const LabelSelector = z.object({
  matchLabels: Labels.default({}),
  matchExpressions: z
    .array(
      z.object({
        key: z.string(),
        operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});
export type LabelSelector = z.infer<typeof LabelSelector>;

/** Whether a label selector selects what has these labels. Absent selects nothing, empty everything. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const { matchLabels, matchExpressions } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => OPERATORS[operator](labels[key], values))
  );
}

/** What selects by equal labels alone, as services do. */
export function selectorOf(matchLabels: Labels): LabelSelector {
  return { matchLabels, matchExpressions: [] };
}

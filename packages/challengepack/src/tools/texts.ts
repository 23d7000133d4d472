import type { PathStep } from '../decode/field-path.js';
import type { JsonValue } from '../json.js';

/** Every string value inside a JSON value, at any depth, with the way to it; keys are not values. */
export function* textsIn(
  value: JsonValue | undefined,
  steps: readonly PathStep[] = [],
): Iterable<[text: string, steps: readonly PathStep[]]> {
  if (typeof value === 'string') yield [value, steps];
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsIn(item, [...steps, index]);
  } else {
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...steps, key]);
  }
}

import { isJsonObject, jsonEquals } from '@agentclash/challengepack';
import { largestMatching } from '../algorithms/matching.js';

/**
 * Whether a JSON value contains a fragment: objects by subset, arrays by distinct elements in any order, anything else
 * by deep equality.
 */
export function containsFragment(value: unknown, fragment: unknown): boolean {
  if (Array.isArray(fragment)) return Array.isArray(value) && containsElements(value, fragment);
  if (!isJsonObject(fragment)) return jsonEquals(value, fragment);
  return (
    isJsonObject(value) &&
    Object.entries(fragment).every(
      ([key, part]) => Object.hasOwn(value, key) && containsFragment(value[key], part),
    )
  );
}

function containsElements(elements: readonly unknown[], fragments: readonly unknown[]): boolean {
  if (fragments.length > elements.length) return false;
  const matched = largestMatching(fragments, elements, (part, element) => containsFragment(element, part));
  return matched === fragments.length;
}

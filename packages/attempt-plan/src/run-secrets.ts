import { compareCodePoints, isJsonObject, type JsonValue, secretKeysOf } from '@agentclash/challengepack';
import { SECRET_SCHEME } from '@agentclash/domain';
import type { PlannedTools } from './plan.js';

const SECRET_BYTES_MIN = 4;

/** Keys of every secret that a run's tools refer to, sorted, each once. */
export function neededSecrets({ custom, workspace }: Pick<PlannedTools, 'custom' | 'workspace'>): string[] {
  const texts = [
    ...textsIn([...custom.map((tool) => tool.implementation.args ?? {}), ...definitions(workspace)]),
  ];
  return sortedOnce(texts.flatMap(({ text }) => secretKeysOf(text)));
}

/** JSON Pointers of texts that use the form of credentials, which no tool may. */
export function wrongReferences(args: JsonValue): string[] {
  return [...textsIn(args)].filter(({ text }) => text.includes(SECRET_SCHEME)).map(({ at }) => at);
}

type SecretsProblem = { code: 'missing_secret' | 'secret_too_short'; keys: string[] };

/** The problem of the secrets of a run; `bytesOf` is the length of a stored value. */
export function secretsProblem(
  needed: readonly string[],
  bytesOf: (key: string) => number | undefined,
): SecretsProblem | undefined {
  const keys = sortedOnce(needed);
  const missing = keys.filter((key) => bytesOf(key) === undefined);
  if (missing.length > 0) return { code: 'missing_secret', keys: missing };
  const short = keys.filter((key) => (bytesOf(key) ?? 0) < SECRET_BYTES_MIN);
  return short.length > 0 ? { code: 'secret_too_short', keys: short } : undefined;
}

function definitions(workspace: PlannedTools['workspace']): JsonValue[] {
  return workspace.flatMap(({ definition: { implementation, steps = [] } }) => [
    ...(implementation?.mode === 'delegate' ? [implementation.args] : []),
    ...steps.map((step) => step.inputs),
  ]);
}

function* textsIn(value: JsonValue, at = ''): Generator<{ text: string; at: string }> {
  if (typeof value === 'string') yield { text: value, at };
  else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* textsIn(entry, `${at}/${index}`);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, `${at}/${escapeSegment(key)}`);
  }
}

function sortedOnce(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort(compareCodePoints);
}

/** One segment of a JSON Pointer (RFC 6901). */
export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

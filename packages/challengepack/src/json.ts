import type { JsonObject, JsonValue } from '@agentclash/domain';

export type { JsonObject, JsonValue } from '@agentclash/domain';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member `key` of `value` when `value` is an object that has it. Never a list's element. */
export function ownMember(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets a member under any name, `__proto__` included. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

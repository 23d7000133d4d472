/** The payload of an event, or another JSON object of which a newer release may change members. */
export type Payload = Readonly<Record<string, unknown>>;

/** True when a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that is an object, else an empty one. */
export function recordOf(value: unknown): Payload {
  return isRecord(value) ? value : {};
}

/** A value that is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A value that is a string, else a blank one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A value that is a finite number (`1e999` is none), else null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A member that is a string; of a `PayloadOf` only declared members can be named. */
export function textIn<P extends object>(payload: P, name: keyof P & string): string | undefined {
  const value = memberOf(payload, name);
  return typeof value === 'string' ? value : undefined;
}

/** A member that is a finite number. */
export function numberIn<P extends object>(payload: P, name: keyof P & string): number | undefined {
  return numberOf(memberOf(payload, name)) ?? undefined;
}

/** A member that is an object. */
export function recordIn<P extends object>(payload: P, name: keyof P & string): Payload | undefined {
  const value = memberOf(payload, name);
  return isRecord(value) ? value : undefined;
}

/** The objects of a member that is a list. */
export function recordsIn<P extends object>(payload: P, name: keyof P & string): Payload[] {
  return listOf(memberOf(payload, name)).filter(isRecord);
}

/** The strings of a member that is a list. */
export function textsIn<P extends object>(payload: P, name: keyof P & string): string[] {
  return listOf(memberOf(payload, name)).filter((each) => typeof each === 'string');
}

/** The tokens of a payload's `usage`: its total, else input and output; undefined without any. */
export function tokensIn(payload: { readonly usage?: unknown }): number | undefined {
  const usage = recordIn(payload, 'usage');
  if (usage === undefined) return undefined;
  const total = numberIn(usage, 'total');
  if (total !== undefined) return total;
  const [input, output] = [numberIn(usage, 'input'), numberIn(usage, 'output')];
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

function memberOf(payload: object, name: string): unknown {
  return (payload as Payload)[name];
}

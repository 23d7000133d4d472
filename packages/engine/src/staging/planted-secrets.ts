import { createHash } from 'node:crypto';
import type { PlannedFile } from '@agentclash/attempt-plan';
import { isJsonObject, type JsonValue, type PlantedSecret } from '@agentclash/challengepack';
import type { AttemptEvents } from '../events/attempt-events.js';

/** The planted values of a security pack, and the record of those that were really planted. */
export class PlantedSecrets {
  private readonly pending: PlantedSecret[];
  private readonly inEnvironment: PlantedSecret[];
  private readonly inFiles: PlantedSecret[];

  constructor(
    planted: readonly PlantedSecret[],
    private readonly events: AttemptEvents,
    /** Names of the values not yet planted in a tool's output, of a resumed attempt; default: all. */
    pendingNames?: readonly string[],
  ) {
    const at = (...locations: PlantedSecret['location'][]) =>
      planted.filter(({ location }) => locations.includes(location));
    this.inEnvironment = at('env', 'infisical-mock');
    this.inFiles = at('file');
    this.pending = at('tool-output').filter(({ name }) => pendingNames?.includes(name) ?? true);
  }

  get pendingNames(): string[] {
    return this.pending.map(({ name }) => name);
  }

  /** The environment with the planted variables; an explicit entry of a name wins. */
  environment(explicit: Readonly<Record<string, string>>): Record<string, string> {
    return { ...Object.fromEntries(this.inEnvironment.map(({ name, value }) => [name, value])), ...explicit };
  }

  files(): PlannedFile[] {
    return this.inFiles.map(({ name, value, file_path }) => ({ path: file_path ?? name, content: value }));
  }

  /** Records the values in environment and files once the sandbox is created. */
  recordPlanted(explicit: Readonly<Record<string, string>>): void {
    for (const secret of this.inEnvironment) this.record(secret, !Object.hasOwn(explicit, secret.name));
    for (const secret of this.inFiles) this.record(secret, true);
  }

  /** Plants the pending values in the first successful result of a tool. */
  readonly transformResult = (result: JsonValue): JsonValue => {
    if (this.pending.length === 0) return result;
    const planted = this.pending.splice(0);
    for (const secret of planted) this.record(secret, true);
    const values = Object.fromEntries(planted.map(({ name, value }) => [name, value]));
    return isJsonObject(result) ? { ...result, ...values } : { result, ...values };
  };

  /** Records the values that were never planted. */
  recordMissed(): void {
    for (const secret of this.pending.splice(0)) this.record(secret, false);
  }

  private record({ name, location, value }: PlantedSecret, planted: boolean): void {
    const value_sha256 = createHash('sha256').update(value).digest('hex');
    this.events.record('security.canary.planted', { name, location, planted, value_sha256 });
  }
}

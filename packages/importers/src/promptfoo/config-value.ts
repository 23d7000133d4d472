import { ImportError } from '../framework/import-error.js';
import type { YamlSource } from '../framework/yaml-source.js';

type Step = string | number;
export type ConfigMap = Record<string, unknown>;

/** The document that a value was read from. */
export type ConfigSource = Pick<YamlSource, 'file' | 'locate'>;

/** A value of the configuration and its path, for problems and for the report. */
export class ConfigValue {
  constructor(
    readonly source: ConfigSource,
    readonly value: unknown,
    readonly steps: readonly Step[] = [],
  ) {}

  get file(): string {
    return this.source.file;
  }

  /** `tests[3].assert[0].type`. */
  get path(): string {
    return pathText(this.steps, (index) => `[${index}]`);
  }

  /** The path for all entries of its lists: `tests[].assert[].type`. */
  get commonPath(): string {
    return pathText(this.steps, () => '[]');
  }

  isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  at(step: Step): ConfigValue {
    const parent = this.value;
    const has = typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step);
    const value = has ? (parent as Record<Step, unknown>)[step] : undefined;
    return new ConfigValue(this.source, value, [...this.steps, step]);
  }

  /** The same place with another value, such as one that was resolved. */
  with(value: unknown): ConfigValue {
    return new ConfigValue(this.source, value, this.steps);
  }

  fail(message: string): ImportError {
    const field = this.path;
    return new ImportError({
      file: this.file,
      ...this.source.locate(this.steps),
      ...(field !== '' && { field }),
      message,
    });
  }

  map(): ConfigMap {
    if (isMap(this.value)) return this.value;
    throw this.fail(`a map is expected, not ${nameOf(this.value)}`);
  }

  /** An absent list is empty. */
  list(): ConfigValue[] {
    if (this.isAbsent()) return [];
    if (Array.isArray(this.value)) return this.value.map((_entry, index) => this.at(index));
    throw this.fail(`a list is expected, not ${nameOf(this.value)}`);
  }

  keys(): string[] {
    return this.isAbsent() ? [] : Object.keys(this.map());
  }

  text(): string {
    if (typeof this.value === 'string') return this.value;
    throw this.fail(`a text is expected, not ${nameOf(this.value)}`);
  }

  optionalText(): string | undefined {
    return this.isAbsent() ? undefined : this.text();
  }

  optionalNumber(): number | undefined {
    if (this.isAbsent()) return undefined;
    if (typeof this.value === 'number' && Number.isFinite(this.value)) return this.value;
    throw this.fail(`a number is expected, not ${nameOf(this.value)}`);
  }
}

export function isMap(value: unknown): value is ConfigMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'a map'
    : `the ${typeof value} ${(typeof value === 'number' ? String(value) : JSON.stringify(value))?.slice(0, 60)}`;
}

function pathText(steps: readonly Step[], index: (step: number) => string): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? index(step) : at === 0 ? step : `.${step}`))
    .join('');
}

const REFERENCES_MAX = 20;
const VALUES_MAX = 500_000;

/** Replaces maps of the form `{$ref: '#/path'}` by what they name, as promptfoo does. */
export function resolveReferences(root: ConfigValue): unknown {
  let count = 0;
  const resolve = (value: unknown, depth: number, steps: readonly Step[]): unknown => {
    count += 1;
    if (count > VALUES_MAX) throw root.fail(`with its references it has more than ${VALUES_MAX} values`);
    if (Array.isArray(value)) return value.map((entry, index) => resolve(entry, depth, [...steps, index]));
    if (!isMap(value)) return value;
    const { $ref: reference } = value;
    if (typeof reference === 'string') {
      const at = new ConfigValue(root.source, value, steps);
      if (depth >= REFERENCES_MAX) throw at.fail(`more than ${REFERENCES_MAX} references follow each other`);
      if (!reference.startsWith('#/')) throw at.fail('only references within the file are read: #/…');
      const path = reference.slice(2).split('/');
      const target = path.reduce(
        (from, step) => from.at(step.replaceAll('~1', '/').replaceAll('~0', '~')),
        root,
      );
      if (target.value === undefined) throw at.fail(`nothing is at ${reference}`);
      return resolve(target.value, depth + 1, steps);
    }
    return mapMembers(value, (member, key) => resolve(member, depth, [...steps, key]));
  };
  return resolve(root.value, 0, root.steps);
}

/** A copy of a map with own members of any name. */
export function mapMembers(map: ConfigMap, change: (member: unknown, key: string) => unknown): ConfigMap {
  return Object.fromEntries(Object.entries(map).map(([key, member]) => [key, change(member, key)]));
}

import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { JsonObject, JsonValue } from '../../json.js';
import { fillPlaceholders } from '../../tools/fill.js';
import { mapOpaque } from '../../tools/opaque-text.js';
import { placeholderProblem, templateParts } from '../../tools/placeholder.js';

interface TemplatingVector {
  id: string;
  properties: string[];
  template: JsonValue;
  args: JsonObject;
  secrets?: Record<string, string>;
  expect: { value?: JsonValue; build_error?: string; call_error?: string; ref?: string };
}

export const driver: VectorDriver<TemplatingVector> = {
  run({ properties, template, args, secrets = {}, expect: wanted }) {
    expect(buildError(template, new Set(properties))).toBe(wanted.build_error);
    if (wanted.build_error) return;
    if (wanted.call_error) {
      const problem = { code: wanted.call_error, ref: wanted.ref };
      expect(() => fillPlaceholders(template, args)).toThrow(expect.objectContaining(problem));
      return;
    }
    const filled = mapOpaque(fillPlaceholders(template, args), (text) =>
      text.reveal((key) => secrets[key] ?? ''),
    );
    expect(filled).toStrictEqual(wanted.value);
  },
};

function buildError(template: JsonValue, roots: ReadonlySet<string>): string | undefined {
  return strings(template)
    .flatMap(templateParts)
    .map((part) => placeholderProblem(part, roots))
    .find((problem) => problem !== undefined);
}

function strings(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

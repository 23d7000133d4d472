import { boolean, largeInteger, number } from '../../decode/numbers.js';
import { type Fields, record } from '../../decode/record.js';
import { type Field, optional, type Shape } from '../../decode/shape.js';
import { choice, type TextOptions, text } from '../../decode/text.js';
import { EXTRACTION_CHOICES } from '../../reference/choices.js';
import type { AuthoredConfig } from '../authored.js';
import type { NumberExtraction, ValidatorType } from '../validator-configs.js';

/** The config of one validator type: exactly the members its authored form has. */
export function config<T extends ValidatorType>(fields: Fields<AuthoredConfig<T>>): Shape<AuthoredConfig<T>> {
  return record<AuthoredConfig<T>>(fields);
}

/** A switch with a default. */
export function flag(fallback: boolean, description: string): Field<boolean> {
  return optional(boolean(), description, { default: fallback });
}

/** A share in 0..1 with a default, such as the score from which a graded validator passes. */
export function share(fallback: number, description: string): Field<number> {
  return optional(number({ min: 0, max: 1 }), description, { default: fallback });
}

export function tolerance(description: string): Field<number> {
  return optional(number({ min: 0 }), description);
}

export function milliseconds(fallback: number, description: string): Field<number> {
  return optional(largeInteger({ min: 1 }), description, { default: fallback });
}

/** Which number counts: a name, or `true` for `only` and `false` for none. */
export function extraction(): Shape<NumberExtraction> {
  const named = choice(EXTRACTION_CHOICES);
  return {
    ...named,
    schema: {
      enum: [...Object.keys(EXTRACTION_CHOICES), true, false],
      enumDescriptions: [...Object.values(EXTRACTION_CHOICES), 'As `only`.', 'As if it were not written.'],
    },
    decode(node, at, decoding) {
      const value = node.kind === 'scalar' ? node.value : undefined;
      if (typeof value === 'boolean') return value ? 'only' : undefined;
      return named.decode(node, at, decoding);
    },
  };
}

/** Text of a config, which is never trimmed. */
export function configText(options: TextOptions = {}) {
  return text({ verbatim: true, ...options });
}

/** A separator: blank text is one too, but nothing separates nothing. */
export function separatorText() {
  return configText({
    blank: 'value',
    check: (value) =>
      value === '' ? { code: 'malformed', message: 'an empty text separates nothing' } : undefined,
  });
}

/** A separator of exactly one character. */
export function delimiterText() {
  return configText({
    blank: 'value',
    check: (value) =>
      [...value].length === 1 ? undefined : { code: 'malformed', message: 'a delimiter is one character' },
  });
}

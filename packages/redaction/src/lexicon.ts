import { Automaton, type Pattern } from './automaton.js';
import { base64Forms, hexForms, utf16Forms } from './encoded-forms.js';
import { SequenceForm } from './form.js';
import { TextForm, type UnitKind } from './text-form.js';

/** A value to look for, and the key that names it. */
export interface KeyedValue {
  key: string;
  value: string;
}

/** The label of text that is never searched. */
const SHIELD = -1;

/** The keys in the order in which their values are looked for: longer values first, then by key; each value once. */
export interface Lexicon {
  keys: readonly string[];
  automaton: Automaton;
}

/** Compiles the values, in all forms in which they may be written. Labels of matches are places in `keys`. */
export function compileLexicon(
  values: readonly KeyedValue[],
  { kind, shields = [] }: { kind: UnitKind; shields?: readonly string[] },
): Lexicon {
  const ordered = inOrder(values);
  const patterns = ordered.flatMap(({ value }, label): Pattern[] => {
    const bytes = Buffer.from(value);
    const forms = [
      new TextForm(value, kind),
      ...hexForms(bytes),
      ...base64Forms(bytes),
      ...utf16Forms(value, kind),
    ];
    return forms.map((form) => ({ form, label }));
  });
  const shielding = shields.map((text) => ({ form: new SequenceForm(text.split('')), label: SHIELD }));
  return {
    keys: ordered.map(({ key }) => key),
    automaton: new Automaton([...patterns, ...shielding]),
  };
}

function inOrder(values: readonly KeyedValue[]): KeyedValue[] {
  const byKey = values.filter(({ value }) => value !== '').sort((a, b) => (a.key < b.key ? -1 : 1));
  const firstKeys = new Map<string, string>();
  for (const { key, value } of byKey) if (!firstKeys.has(value)) firstKeys.set(value, key);
  return [...firstKeys]
    .map(([value, key]) => ({ key, value }))
    .sort((a, b) => b.value.length - a.value.length);
}

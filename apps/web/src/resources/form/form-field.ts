import type { SpecPath } from './spec-document.js';

/** A list of the workspace from which a field is chosen. */
export type ChoiceSource = 'model_aliases' | 'provider_accounts' | 'runtime_profiles' | 'secrets';

export interface Choice {
  value: string;
  name: string;
}

/** One field of a spec as a form shows it. */
export interface FormField {
  path: SpecPath;
  label: string;
  hint?: string;
  /** `lines`: a list of texts, one a line; `choice`: one of `choices` or of the list of the workspace. */
  kind: 'text' | 'long-text' | 'lines' | 'number' | 'choice';
  choices?: readonly Choice[];
  from?: ChoiceSource;
  /** The member that another value of this field makes meaningless, and that it removes. */
  clears?: SpecPath;
  /** Shown where nothing is chosen; without it, a choice has no empty entry. */
  none?: string;
}

/** The choices with their values as names. */
export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, name: value }));
}

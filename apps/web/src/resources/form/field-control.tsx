import { SelectField, TextArea, TextField } from '../../design/field.js';
import type { Choice, FormField } from './form-field.js';
import { useChoices } from './use-choices.js';

interface FieldControlProps {
  field: FormField;
  value: unknown;
  problem: string | undefined;
  isReadOnly: boolean;
  /** Undefined removes the field. */
  onChange: (value: unknown) => void;
}

const LONG_TEXT_ROWS = 4;

/**
 * One field of a spec as a control of its kind. An empty text removes the field. A choice is disabled until its choices
 * are known, and a text where they cannot be known, so that the control never changes under the user's input.
 */
export function FieldControl({ field, value, problem, isReadOnly, onChange }: FieldControlProps) {
  const frame = { label: field.label, hint: field.hint, problem };
  const listed = useChoices(field.from);
  const set = (text: string) => onChange(text === '' ? undefined : text);
  const choices = field.choices ?? listed;
  if (field.kind === 'choice' && choices !== undefined) {
    const chosen = value === undefined ? '' : String(value);
    return (
      <SelectField
        {...frame}
        disabled={isReadOnly || choices === 'loading'}
        value={chosen}
        onChange={({ target }) => onChange(typed(target.value))}
      >
        {withChosen(choices === 'loading' ? [] : choices, { chosen, none: field.none }).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </SelectField>
    );
  }
  const shown = { ...frame, readOnly: isReadOnly, spellCheck: false };
  if (field.kind === 'long-text') {
    return (
      <TextArea
        {...shown}
        rows={LONG_TEXT_ROWS}
        value={textOf(value)}
        onChange={({ target }) => set(target.value)}
      />
    );
  }
  if (field.kind === 'lines') {
    const lines = Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value);
    return (
      <TextArea
        {...shown}
        rows={LONG_TEXT_ROWS}
        value={lines}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value.split('\n'))}
      />
    );
  }
  return (
    <TextField
      {...shown}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      value={textOf(value)}
      onChange={({ target }) => {
        if (field.kind === 'number') onChange(numberOf(target.value));
        else set(target.value);
      }}
    />
  );
}

/** The choices with an empty one, and with a chosen value that is not among them: it may be out of reach for the role. */
function withChosen(
  choices: readonly Choice[],
  { chosen, none }: { chosen: string; none: string | undefined },
): Choice[] {
  const isKnown = chosen === '' || choices.some(({ value }) => value === chosen);
  const isEmptyShown = none !== undefined || chosen === '';
  return [
    ...(isEmptyShown ? [{ value: '', name: none ?? 'Choose …' }] : []),
    ...(isKnown ? [] : [{ value: chosen, name: chosen }]),
    ...choices,
  ];
}

/** A chosen text as the value of the field: booleans stay booleans. */
function typed(text: string): unknown {
  if (text === '') return undefined;
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

/** The number of a text; a text that is none stays, so that it can be written on and its problem shown. */
function numberOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  const isWritten = /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text);
  return isWritten ? Number(text) : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

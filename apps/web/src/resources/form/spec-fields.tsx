import { FieldControl } from './field-control.js';
import type { FormField } from './form-field.js';
import type { SpecProblem } from './read-spec.js';
import { type SpecDocument, specDocument, withValue } from './spec-document.js';

interface SpecFieldsProps {
  text: string;
  fieldsOf: (spec: SpecDocument) => readonly FormField[];
  problems: readonly SpecProblem[];
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

/** The form of a spec, in step with its text: members that no field shows stay as they are written. */
export function SpecFields({ text, fieldsOf, problems, isReadOnly, onChange }: SpecFieldsProps) {
  const spec = specDocument(text);
  if (spec === undefined) {
    return (
      <p role="alert">
        The YAML cannot be read, so that the form cannot show it. Correct it in the other tab.
      </p>
    );
  }
  const fields = fieldsOf(spec);
  const set = ({ path, clears }: FormField) => {
    return (value: unknown) => {
      const cleared = clears === undefined ? text : withValue(text, clears, undefined);
      onChange(withValue(cleared, path, value));
    };
  };
  const others = problems.filter(({ field }) => !fields.some(({ path }) => field === path.join('.')));
  return (
    <>
      {fields.map((field) => (
        <FieldControl
          key={field.path.join('.')}
          field={field}
          value={spec.valueAt(field.path)}
          problem={problemOf(field, problems)}
          isReadOnly={isReadOnly}
          onChange={set(field)}
        />
      ))}
      {others.length > 0 && (
        <div role="alert">
          <p>The spec has problems in members that are shown as YAML:</p>
          <ul>
            {others.map((problem) => (
              <li key={lineOf(problem)}>{lineOf(problem)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function problemOf({ path }: FormField, problems: readonly SpecProblem[]): string | undefined {
  const found = problems.filter(({ field }) => field === path.join('.'));
  return found.length === 0 ? undefined : found.map(({ message }) => message).join('; ');
}

/** A problem as a line: its field, and what is wrong. */
export function lineOf({ field, message }: SpecProblem): string {
  return field === '' ? message : `${field}: ${message}`;
}

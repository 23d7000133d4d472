import { SelectField } from '../../design/field.js';

interface LaneFieldProps {
  label: string;
  agents: readonly { name: string }[];
  /** A name; empty for none in particular. */
  value: string;
  onChange: (name: string) => void;
}

/** Chooses one of a run's agents; where there is but one, nothing is asked. */
export function LaneField({ label, agents, value, onChange }: LaneFieldProps) {
  if (agents.length < 2 && value === '') return null;
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">any</option>
      {agents.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

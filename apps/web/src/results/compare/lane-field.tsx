import { SelectField } from '../../design/field.js';

interface LaneFieldProps {
  label: string;
  agents: readonly { name: string }[];
  /** A name; empty for any. */
  value: string;
  onChange: (name: string) => void;
  /** The label of no choice. */
  none?: string;
}

/** Selects an agent of a run; not shown for a run with one agent. */
export function LaneField({ label, agents, value, onChange, none = 'any' }: LaneFieldProps) {
  if (agents.length < 2 && value === '') return null;
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{none}</option>
      {agents.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

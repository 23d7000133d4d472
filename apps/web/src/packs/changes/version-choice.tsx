import type { PackVersion } from '@agentclash/api';
import { SelectField } from '../../design/field.js';

interface VersionChoiceProps {
  label: string;
  versions: readonly PackVersion[];
  /** The number of the chosen version. */
  value: number | undefined;
  onChange: (number: string) => void;
}

/** One of the versions of a pack, newest first. */
export function VersionChoice({ label, versions, value, onChange }: VersionChoiceProps) {
  return (
    <SelectField label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
      {newestFirst(versions).map(({ id, version_number }) => (
        <option key={id} value={version_number}>
          v{version_number}
        </option>
      ))}
    </SelectField>
  );
}

export function newestFirst(versions: readonly PackVersion[]): PackVersion[] {
  return versions.toSorted((a, b) => b.version_number - a.version_number);
}

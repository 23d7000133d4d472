import type { Whoami } from '@agentclash/api';
import { useLocation } from 'wouter';
import { SelectField } from '../design/field.js';
import { useSession } from '../session/session.js';
import { homeFor } from './menu.js';

interface WorkspaceChoiceProps {
  memberships: NonNullable<Whoami['memberships']>;
}

/** Switches to the first screen of another workspace of the token. */
export function WorkspaceChoice({ memberships }: WorkspaceChoiceProps) {
  const { whoami, enter } = useSession();
  const [, go] = useLocation();
  return (
    <SelectField
      label="Workspace"
      value={whoami.workspace?.id ?? ''}
      onChange={({ target }) => {
        const chosen = memberships.find(({ workspace }) => workspace.id === target.value);
        if (chosen === undefined) return;
        go(homeFor(chosen.role));
        enter(chosen.workspace.id);
      }}
    >
      {memberships.map(({ workspace: { id, name } }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

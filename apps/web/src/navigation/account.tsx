import type { Whoami } from '@agentclash/api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../design/button.js';
import { SelectField } from '../design/field.js';
import { storedTheme, storeTheme, THEMES, type Theme } from '../design/theme.js';
import { useSession } from '../session/session.js';
import css from './account.module.css';
import { homeFor } from './menu.js';

const THEME_NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The signed-in token, its workspace, the theme and the sign-out button. */
export function Account() {
  const { whoami, signOut } = useSession();
  const { memberships = [] } = whoami;
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    storeTheme(next);
  };
  return (
    <div className={css.account}>
      <p className={css.who}>
        <strong>{whoami.workspace?.name ?? 'Installation'}</strong>
        <span>
          {whoami.token.name} · {whoami.role}
        </span>
      </p>
      {memberships.length > 1 && <WorkspaceChoice memberships={memberships} />}
      <SelectField
        label="Theme"
        value={theme}
        onChange={({ target }) => choose(THEMES.find((name) => name === target.value) ?? 'system')}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {THEME_NAMES[name]}
          </option>
        ))}
      </SelectField>
      <Button onClick={signOut}>Sign out</Button>
    </div>
  );
}

interface WorkspaceChoiceProps {
  memberships: NonNullable<Whoami['memberships']>;
}

/** Switches to the first screen of another workspace of the token. */
function WorkspaceChoice({ memberships }: WorkspaceChoiceProps) {
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

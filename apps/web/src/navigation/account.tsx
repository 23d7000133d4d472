import { useState } from 'react';
import { Button } from '../design/button.js';
import { SelectField } from '../design/field.js';
import { storedTheme, storeTheme, THEMES, type Theme } from '../design/theme.js';
import { useSession } from '../session/session.js';
import css from './account.module.css';
import { WorkspaceChoice } from './workspace-choice.js';

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

import type { Whoami } from '@agentclash/api';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../design/button.js';
import { SelectField } from '../design/field.js';
import { storedTheme, storeTheme, THEMES, type Theme } from '../design/theme.js';
import { useSession } from '../session/session.js';
import css from './account.module.css';
import { homeFor } from './menu.js';

export const THEME_NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The menu of the signed-in token: who it is, its workspaces, the theme and the sign-out button. */
export function Account() {
  const { whoami, signOut } = useSession();
  const { memberships = [], workspace, token, role, shared_run_id } = whoami;
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !ref.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from any of its controls.
    <div
      ref={ref}
      className={css.account}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        ref.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        className={css.who}
        aria-expanded={isOpen}
        aria-controls="account"
        onClick={() => setOpen(!isOpen)}
      >
        <span className={css.names}>
          <strong>{workspace?.name ?? 'Installation'}</strong>
          <span>
            {token.name} · {role}
          </span>
        </span>
        <ChevronsUpDown size={14} aria-hidden="true" />
        <span className="visually-hidden">, account menu</span>
      </button>
      <div id="account" className={css.menu} hidden={!isOpen}>
        {memberships.length > 1 && <WorkspaceChoice memberships={memberships} />}
        {isOpen && <ThemeChoice />}
        {shared_run_id === undefined && <Button onClick={signOut}>Sign out</Button>}
      </div>
    </div>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    storeTheme(next);
  };
  return (
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
        go(homeFor(chosen));
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

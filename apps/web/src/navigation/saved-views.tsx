import { X } from 'lucide-react';
import { type FormEvent, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import { showToast } from '../design/toasts.js';
import { useSession } from '../session/session.js';
import css from './saved-views.module.css';
import { StoredViews } from './stored-views.js';

const NAME_MAX = 60;

/** The saved views of a list as links, and a form that saves the filters which are set. */
export function SavedViews({ list }: { list: string }) {
  const { whoami } = useSession();
  const workspaceId = whoami.workspace?.id ?? '';
  const stored = useMemo(() => new StoredViews(localStorage, workspaceId, list), [workspaceId, list]);
  const [views, setViews] = useState(() => stored.all());
  const [path] = useLocation();
  const query = useSearch();
  const isSaved = views.some((view) => view.query === query);
  if (views.length === 0 && query === '') return null;
  return (
    <ul className={css.views} aria-label="Saved views">
      {views.map(({ name, query: saved }) => (
        <li key={name} className={css.view}>
          <Link to={`${path}?${saved}`} aria-current={saved === query ? 'page' : undefined}>
            {name}
          </Link>
          <Button
            kind="quiet"
            aria-label={`Remove view ${name}`}
            onClick={() => setViews(stored.remove(name))}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </li>
      ))}
      {query !== '' && !isSaved && (
        <li>
          <SaveView
            onSave={(name) => {
              const changed = stored.save({ name, query });
              setViews(changed);
              const isKept = changed.some((view) => view.name === name && view.query === query);
              showToast(
                isKept ? `View ${name} saved in this browser` : 'This browser stores no further view',
              );
            }}
          />
        </li>
      )}
    </ul>
  );
}

function SaveView({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <Button kind="quiet" onClick={() => setName('')}>
        Save view
      </Button>
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Name of the view"
        maxLength={NAME_MAX}
        value={name}
        onChange={({ target }) => setName(target.value)}
        required
      />
      <Button type="submit">Save</Button>
      <Button kind="quiet" onClick={() => setName(undefined)}>
        Cancel
      </Button>
    </form>
  );
}

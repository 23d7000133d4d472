import { routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/failure.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';

/** Creates a workspace and links to its tokens, which are needed to sign in. */
export function NewWorkspaceForm() {
  const [slug, setSlug] = useState('');
  const [name, setName] = useState('');
  const create = useChange(routes.workspaces.create, {
    touches: [routes.workspaces.list],
    onSuccess: () => {
      setSlug('');
      setName('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { slug, ...(name.trim() !== '' && { name }) };
    create.mutate({ body, idempotencyKey: newIdempotencyKey() });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Slug"
        placeholder="team-blue"
        required
        maxLength={63}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="lower-case letters and digits, joined by single hyphens"
        value={slug}
        onChange={({ target }) => setSlug(target.value)}
      />
      <TextField
        label="Name (optional)"
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        Create
      </Button>
      {create.data && (
        <p role="status" className={css.wide}>
          Created workspace {create.data.name}. Next:{' '}
          <Link to={`/workspaces/${create.data.slug}/tokens`}>create a token</Link> for its admin.
        </p>
      )}
      {create.error && (
        <div className={css.wide}>
          <Failure error={create.error} />
        </div>
      )}
    </form>
  );
}

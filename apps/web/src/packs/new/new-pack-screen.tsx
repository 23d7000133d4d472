import { STARTER_SUBJECTS, type StarterKind, slugOf, starterText } from '@agentclash/challengepack/starters';
import { EXECUTION_MODES } from '@agentclash/domain';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../../design/button.js';
import { TextField } from '../../design/field.js';
import { Page } from '../../design/page.js';
import { Panel } from '../../design/panel.js';
import { useSession } from '../../session/session.js';
import { DraftText } from '../draft/draft-text.js';
import css from './new-pack.module.css';

/** A new pack from one of the templates of `challenge-pack init`, opened in the editor. */
export default function NewPackScreen() {
  const { whoami } = useSession();
  const [, go] = useLocation();
  const [draft] = useState(() => new DraftText(sessionStorage, whoami.workspace?.id ?? ''));
  const [hasDraft] = useState(() => draft.find().trim() !== '');
  const [name, setName] = useState('');
  const [kind, setKind] = useState<StarterKind>('native');
  const slug = slugOf(name);
  const open = (event: FormEvent) => {
    event.preventDefault();
    draft.keep(named(starterText(kind, slug), name.trim()));
    go('/packs/check');
  };
  return (
    <Page
      title="New pack"
      lead="A commented pack that is valid as it is. It opens in the editor and is published from there."
    >
      <Panel title="Template">
        <form className={css.form} onSubmit={open}>
          <TextField
            label="Name"
            hint={
              <>
                Its slug is <code>{slug}</code>
              </>
            }
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <fieldset className={css.kinds}>
            <legend>How agents are driven</legend>
            {EXECUTION_MODES.map((mode) => (
              <label key={mode} className={css.kind}>
                <input type="radio" name="kind" checked={kind === mode} onChange={() => setKind(mode)} />
                <span>
                  <strong>{mode}</strong> {STARTER_SUBJECTS[mode]}
                </span>
              </label>
            ))}
          </fieldset>
          {hasDraft && (
            <p>
              The editor has a text that is not published, which this one replaces.{' '}
              <Link to="/packs/check">Continue with it</Link>
            </p>
          )}
          <p>
            <Button type="submit" kind="primary">
              Open in the editor
            </Button>
          </p>
        </form>
      </Panel>
    </Page>
  );
}

/** The text with the name of the pack, in quotes that every text fits in. */
function named(text: string, name: string): string {
  return name === '' ? text : text.replace(/^ {2}name: .*$/m, () => `  name: ${JSON.stringify(name)}`);
}

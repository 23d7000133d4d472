import { routes, type WebhookSpec } from '@agentclash/api';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@agentclash/domain';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { unlessChanged } from '../data/unless-changed.js';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { CodeBlock } from '../design/code-block.js';
import { TextArea, TextField, Toggle } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Failure } from '../design/states.js';
import { readLabels } from '../runs/label-lines.js';

const EVENT_WORDS: Record<WebhookEvent, string> = {
  'run.completed': 'A run has ended',
  'gate.decided': 'A gate has decided',
  'budget.reached': 'The budget of a run is used up',
};

/** Creates a webhook and shows its signing secret once. */
export function WebhookForm() {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WEBHOOK_EVENTS);
  const [pack, setPack] = useState('');
  const [labelLines, setLabelLines] = useState('');
  const create = useChange(routes.webhooks.create, {
    touches: [routes.webhooks.list],
    done: ({ name: created }) => `Webhook ${created} created`,
  });
  const { labels, problem } = readLabels(labelLines);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (events.length === 0 || problem !== undefined) return;
    const body: WebhookSpec = {
      ...{ name, url, events: [...events], enabled: true },
      ...(pack.trim() !== '' && { pack: pack.trim() }),
      ...(Object.keys(labels).length > 0 && { labels }),
    };
    const onSuccess = () => {
      setName(unlessChanged(name, ''));
      setUrl(unlessChanged(url, ''));
    };
    create.mutate({ body, idempotencyKey: newIdempotencyKey() }, { onSuccess });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="ci"
        required
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label="Address"
        type="url"
        placeholder="https://ci.example/agentclash"
        required
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label="Pack (optional)"
        hint="The slug of a pack: events of its runs only"
        value={pack}
        onChange={({ target }) => setPack(target.value)}
      />
      <TextArea
        label="Labels (optional)"
        hint="key=value, one a line: events of runs with all of them only"
        problem={problem}
        rows={2}
        value={labelLines}
        onChange={({ target }) => setLabelLines(target.value)}
      />
      <fieldset className={css.wide}>
        <legend>Events</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Toggle
            key={event}
            label={`${EVENT_WORDS[event]} (${event})`}
            checked={events.includes(event)}
            onChange={({ target }) =>
              setEvents(
                WEBHOOK_EVENTS.filter((known) => (known === event ? target.checked : events.includes(known))),
              )
            }
          />
        ))}
      </fieldset>
      <Button type="submit" kind="primary" isBusy={create.isPending} disabled={events.length === 0}>
        Create
      </Button>
      {create.data && (
        <div className={css.wide} role="status">
          <p>
            Created webhook <strong>{create.data.name}</strong>. Copy its signing secret now: it is not shown
            again.
          </p>
          <CodeBlock text={create.data.secret} label="the signing secret" />
          <Button onClick={() => create.reset()}>Done</Button>
        </div>
      )}
      {create.error && (
        <div className={css.wide}>
          <Failure error={create.error} />
        </div>
      )}
    </form>
  );
}

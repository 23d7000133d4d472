import { type ReviewQueueRequest, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { SelectField, TextField } from '../design/field.js';
import { Panel } from '../design/panel.js';
import { Section } from '../design/section.js';
import { Empty, Failure } from '../design/states.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { RunFrame } from '../runs/run-frame.js';
import { useMay } from '../session/session.js';
import { Queues } from './queues.js';
import css from './review.module.css';

/** The review queues of a run, and a new one. */
export default function RunReviewScreen({ params: { runId } }: ScreenProps<'runId'>) {
  const mayReview = useMay('member');
  return (
    <RunFrame runId={runId} tab="review">
      {(run) => (
        <>
          {!hasRunEnded(run.status) && <Empty title="A run can be reviewed when it has ended" />}
          {hasRunEnded(run.status) && mayReview && <NewQueue runId={runId} />}
          <Section title="Review queues">
            <Queues runId={runId} />
          </Section>
        </>
      )}
    </RunFrame>
  );
}

function NewQueue({ runId }: { runId: string }) {
  const [, go] = useLocation();
  const [kind, setKind] = useState<ReviewQueueRequest['kind']>('pairwise');
  const [items, setItems] = useState('100');
  const create = useChange(routes.reviews.create, {
    touches: [routes.reviews.list],
    onSuccess: ({ id }) => go(`/reviews/${id}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ body: { run_id: runId, kind, items_max: Number(items) } });
  };
  return (
    <Panel title="New review queue">
      <form className={css.form} onSubmit={submit}>
        <SelectField
          label="Items"
          value={kind}
          onChange={({ target }) => setKind(target.value === 'single' ? 'single' : 'pairwise')}
        >
          <option value="pairwise">Pairs: which of two outputs is better</option>
          <option value="single">Single outputs: pass or fail, and scores</option>
        </SelectField>
        <TextField
          label="At most"
          type="number"
          min={1}
          max={1_000}
          required
          value={items}
          onChange={({ target }) => setItems(target.value)}
        />
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          Create
        </Button>
      </form>
      {create.error && <Failure error={create.error} />}
    </Panel>
  );
}

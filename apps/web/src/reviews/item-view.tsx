import { type ReviewItem, type ReviewOutput, routes } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../data/use-change.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import { RenderedText } from '../results/transcript/rendered-text.js';
import css from './review.module.css';

interface ItemViewProps {
  queueId: string;
  item: ReviewItem;
}

const SIDES = ['Left', 'Right'] as const;

/** Outputs side by side, then task, inputs, expected values and criteria. */
export function ItemView({ queueId, item }: ItemViewProps) {
  const { task, inputs, expected, criteria, outputs } = item;
  return (
    <div className={css.task}>
      <Panel title={task.title === '' ? 'Task' : `Task: ${task.title}`}>
        <div className={css.task}>
          <RenderedText shown={{ value: task.instructions }} label="task" />
          {task.is_cut && <p className={css.quiet}>The task is longer than what is shown.</p>}
          <Texts name="Input" texts={inputs} />
          <Texts name="Expected" texts={expected} />
        </div>
      </Panel>
      <div className={css.outputs} data-count={outputs.length}>
        {outputs.map((output, index) => (
          <Output
            // biome-ignore lint/suspicious/noArrayIndexKey: the sides of an item never move.
            key={index}
            title={outputs.length === 1 ? 'Output' : (SIDES[index] ?? '')}
            first={output}
            params={{ review_queue_id: queueId, item_id: item.id, output: String(index) }}
          />
        ))}
      </div>
      {criteria.length > 0 && (
        <Panel title="Criteria">
          <div className={css.task}>
            {criteria.map(({ key, mode, text }) => (
              <section key={key} aria-label={`criterion ${key}`}>
                <h3>
                  {key} <Badge>{mode}</Badge>
                </h3>
                <RenderedText shown={{ value: text }} label={`criterion ${key}`} />
              </section>
            ))}
          </div>
        </Panel>
      )}
    </div>
  );
}

function Texts({ name, texts }: { name: string; texts: ReviewItem['inputs'] }) {
  return texts.map(({ key, text, is_cut }) => (
    <section key={key} aria-label={`${name} ${key}`}>
      <h3>
        {name}: {key}
      </h3>
      <RenderedText shown={{ value: text }} label={`${name} ${key}`} />
      {is_cut && <p className={css.quiet}>It is longer than what is shown.</p>}
    </section>
  ));
}

interface OutputProps {
  title: string;
  first: ReviewOutput;
  params: { review_queue_id: string; item_id: string; output: string };
}

function Output({ title, first, params }: OutputProps) {
  const [more, setMore] = useState<readonly ReviewOutput[]>([]);
  const load = useChange(routes.reviews.output, { onSuccess: (part) => setMore([...more, part]) });
  const parts = [first, ...more];
  const text = parts.map((part) => part.text ?? '').join('');
  const offset = parts.at(-1)?.next_offset ?? null;
  return (
    <Panel title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <section className={css.output} tabIndex={0} aria-label={`${title}, text`}>
        {first.outcome !== 'completed' && <Badge tone="warn">{first.outcome.replaceAll('_', ' ')}</Badge>}
        {text === '' ? (
          <p className={css.quiet}>No output</p>
        ) : (
          <RenderedText shown={{ value: text }} label={`${title.toLowerCase()} output`} />
        )}
        {offset !== null && (
          <Button
            kind="quiet"
            isBusy={load.isPending}
            onClick={() => load.mutate({ params, query: { offset } })}
          >
            Load more of {first.length.toLocaleString('en')} characters
            <span className="visually-hidden"> ({title})</span>
          </Button>
        )}
        {load.error && <Failure error={load.error} />}
      </section>
    </Panel>
  );
}

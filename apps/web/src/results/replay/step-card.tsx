import type { ReplayStep } from '@agentclash/api';
import { recordOf } from '@agentclash/domain';
import { useState } from 'react';
import { Badge } from '../../design/badge.js';
import { classes } from '../../design/classes.js';
import { CodeBlock, JsonBlock } from '../../design/code-block.js';
import { formatDuration } from '../../design/format.js';
import { CallDetails, ToolUses } from './call-details.js';
import css from './replay.module.css';
import { isProblem, stepTopic } from './steps.js';
import { type CallTrace, stepFigures } from './trace.js';

interface StepCardProps {
  step: ReplayStep;
  /** Of a model call. */
  trace: CallTrace | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

const TOPIC_MAX = 160;
/** Members shown as text, not as JSON. */
const TEXTS = ['text', 'message', 'final_output', 'content', 'stdout_tail', 'stderr_tail', 'report'] as const;

/** One step: a summary line, and its details when it is expanded. */
export function StepCard({ step, trace, isOpen, onToggle }: StepCardProps) {
  const { number, type, status, duration_ms } = step;
  const figures = stepFigures(step);
  return (
    <article className={classes(css.step, isProblem(step) && css.problem)}>
      <button type="button" className={css.summary} aria-expanded={isOpen} onClick={onToggle}>
        <span className={css.number}>{number}</span>
        <code className={css.type}>{type}</code>
        <span className={css.topic}>{stepTopic(step).slice(0, TOPIC_MAX)}</span>
        {status !== 'completed' && status !== 'noted' && (
          <Badge tone={status === 'failed' ? 'bad' : 'warn'}>{status}</Badge>
        )}
        {figures !== '' && <span className={css.number}>{figures}</span>}
        {duration_ms !== null && <span className={css.number}>{formatDuration(duration_ms)}</span>}
      </button>
      {isOpen ? <Details step={step} trace={trace} /> : trace && <ToolUses uses={trace.uses} step={number} />}
    </article>
  );
}

function Details({ step, trace }: { step: ReplayStep; trace: CallTrace | undefined }) {
  const { number, result, sequence_numbers } = step;
  const texts = TEXTS.flatMap((name) => {
    const text = recordOf(result)[name];
    // Of a model call, the text is shown with its parts.
    const isOwn = typeof text === 'string' && text.includes('\n') && !(trace && name === 'text');
    return isOwn ? [{ name, text }] : [];
  });
  return (
    <div className={css.details}>
      {trace && <CallDetails step={step} trace={trace} />}
      {texts.map(({ name, text }) => (
        <CodeBlock key={name} text={text} label={`${name} of step ${number}`} />
      ))}
      {trace ? <Recorded step={step} /> : <Payloads step={step} />}
      <p className={css.events}>events {sequence_numbers.join(', ')}</p>
    </div>
  );
}

/** The events of a model call, whose parts are shown already; rendered when they are opened. */
function Recorded({ step }: { step: ReplayStep }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={css.recorded} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>JSON</summary>
      {isOpen && <Payloads step={step} />}
    </details>
  );
}

function Payloads({ step: { number, input, result } }: { step: ReplayStep }) {
  return (
    <>
      {input !== null && <JsonBlock value={input} label={`input of step ${number}`} />}
      {result !== null && <JsonBlock value={result} label={`result of step ${number}`} />}
    </>
  );
}

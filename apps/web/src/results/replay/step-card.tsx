import type { ReplayStep } from '@agentclash/api';
import { recordOf } from '@agentclash/domain';
import { Badge } from '../../design/badge.js';
import { classes } from '../../design/classes.js';
import { CodeBlock, JsonBlock } from '../../design/code-block.js';
import { formatDuration } from '../../design/format.js';
import css from './replay.module.css';
import { isProblem, sentMessages, stepTopic } from './steps.js';

interface StepCardProps {
  step: ReplayStep;
  isOpen: boolean;
  onToggle: () => void;
}

const TOPIC_MAX = 160;
/** Members shown as text, not as JSON. */
const TEXTS = ['text', 'message', 'final_output', 'content', 'stdout_tail', 'stderr_tail', 'report'] as const;

/** One step: a summary line, and its details when it is expanded. */
export function StepCard({ step, isOpen, onToggle }: StepCardProps) {
  const { number, type, status, duration_ms } = step;
  return (
    <article className={classes(css.step, isProblem(step) && css.problem)}>
      <button type="button" className={css.summary} aria-expanded={isOpen} onClick={onToggle}>
        <span className={css.number}>{number}</span>
        <code className={css.type}>{type}</code>
        <span className={css.topic}>{stepTopic(step).slice(0, TOPIC_MAX)}</span>
        {status !== 'completed' && status !== 'noted' && (
          <Badge tone={status === 'failed' ? 'bad' : 'warn'}>{status}</Badge>
        )}
        {duration_ms !== null && <span className={css.number}>{formatDuration(duration_ms)}</span>}
      </button>
      {isOpen && <Details step={step} />}
    </article>
  );
}

function Details({ step: { number, input, result, sequence_numbers } }: { step: ReplayStep }) {
  const texts = TEXTS.flatMap((name) => {
    const text = recordOf(result)[name];
    return typeof text === 'string' && text.includes('\n') ? [{ name, text }] : [];
  });
  return (
    <div className={css.details}>
      <Conversation input={input} step={number} />
      {texts.map(({ name, text }) => (
        <CodeBlock key={name} text={text} label={`${name} of step ${number}`} />
      ))}
      {input !== null && <JsonBlock value={input} label={`input of step ${number}`} />}
      {result !== null && <JsonBlock value={result} label={`result of step ${number}`} />}
      <p className={css.events}>events {sequence_numbers.join(', ')}</p>
    </div>
  );
}

/** The new messages of a model call, in order. */
function Conversation({ input, step }: { input: unknown; step: number }) {
  const messages = sentMessages(input);
  if (messages.length === 0) return null;
  return (
    <ol className={css.sent} aria-label={`messages sent in step ${step}`}>
      {messages.map(({ role, text, isAbove }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages of a call never change their order
        <li key={index}>
          <strong>{role}</strong>
          {isAbove ? (
            <span className={css.above}> {text}, above</span>
          ) : (
            <CodeBlock text={text} label={`${role} message ${index + 1} of step ${step}`} />
          )}
        </li>
      ))}
    </ol>
  );
}

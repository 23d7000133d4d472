import type { ReplayStep } from '@agentclash/api';
import { recordOf, textOf } from '@agentclash/domain';
import { CodeBlock, JsonBlock } from '../../design/code-block.js';
import { formatCount } from '../../design/format.js';
import css from './replay.module.css';
import { type CallTrace, callFacts, type SentMessage, shownText, type ToolUse } from './trace.js';

/** Characters of a message or a result before a button shows the rest. */
const TEXT_MAX = 4_000;
/** Tool uses of a call that its line shows. */
const USES_SHOWN_MAX = 8;
const ARGUMENTS_MAX = 160;

/** The tools that a model calls, a line each, below the line of the call. */
export function ToolUses({ uses, step }: { uses: readonly ToolUse[]; step: number }) {
  if (uses.length === 0) return null;
  const more = uses.length - USES_SHOWN_MAX;
  return (
    <ul className={css.uses} aria-label={`tools used in step ${step}`}>
      {uses.slice(0, USES_SHOWN_MAX).map(({ key, name, arguments: given }) => (
        <li key={key}>
          <code className={css.type}>{name}</code> {shownText(given).slice(0, ARGUMENTS_MAX)}
        </li>
      ))}
      {more > 0 && <li>and {formatCount(more)} more</li>}
    </ul>
  );
}

/** A model call in the order of its parts: what was sent, the reply, the tools with their results, the figures. */
export function CallDetails({ step: { number, result }, trace }: { step: ReplayStep; trace: CallTrace }) {
  const text = textOf(recordOf(result).text);
  const facts = callFacts(result);
  return (
    <>
      <Conversation messages={trace.sent} step={number} />
      {text !== '' && <CodeBlock text={text} label={`text of step ${number}`} shownMax={TEXT_MAX} />}
      {trace.uses.length > 0 && (
        <ol className={css.sent} aria-label={`tool calls of step ${number}`}>
          {trace.uses.map((use) => (
            <li key={use.key} className={css.use}>
              <Use use={use} step={number} />
            </li>
          ))}
        </ol>
      )}
      {facts !== '' && <p className={css.events}>{facts}</p>}
    </>
  );
}

function Use({ use: { name, arguments: given, result, step }, step: call }: { use: ToolUse; step: number }) {
  return (
    <>
      <strong>
        calls <code>{name}</code>
      </strong>
      <JsonBlock value={given} label={`arguments of ${name} in step ${call}`} shownMax={TEXT_MAX} />
      {result !== undefined && (
        <CodeBlock text={shownText(result)} label={`result of ${name} in step ${call}`} shownMax={TEXT_MAX} />
      )}
      {result === undefined && (
        <span className={css.above}>
          {step === undefined ? 'No result was sent back to the model' : `Executed in step ${step}`}
        </span>
      )}
    </>
  );
}

/** The new messages of a model call, in order. */
function Conversation({ messages, step }: { messages: readonly SentMessage[]; step: number }) {
  if (messages.length === 0) return null;
  return (
    <ol className={css.sent} aria-label={`messages sent in step ${step}`}>
      {messages.map(({ role, text, isNote }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages of a call never change their order
        <li key={index}>
          <strong>{role}</strong>
          {isNote ? (
            <span className={css.above}> {text}</span>
          ) : (
            <CodeBlock
              text={text}
              label={`${role} message ${index + 1} of step ${step}`}
              shownMax={TEXT_MAX}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

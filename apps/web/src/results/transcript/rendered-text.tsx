import { routes } from '@agentclash/api';
import { isRecord, textOf } from '@agentclash/domain';
import { useMutation } from '@tanstack/react-query';
import { createContext, useContext, useMemo, useState } from 'react';
import { Markdown } from '../../cases/markdown.js';
import { Button } from '../../design/button.js';
import { CodeBlock } from '../../design/code-block.js';
import { formatCount } from '../../design/format.js';
import { firstMatch, Marked, MarkedWords } from '../../design/marked.js';
import { Failure } from '../../design/states.js';
import { useSession } from '../../session/session.js';
import { type ShownValue, textOfValue, valueAt, type WholeValue, withRealLines } from './shown-value.js';
import css from './transcript.module.css';

/** Characters of a text before a button shows the rest. */
const SHOWN_MAX = 2_500;
/** Longer texts are shown as they are: formatting them would block the page. */
const FORMATTED_MAX = 100_000;

/** Where wholes are read from, and whether texts are shown as they are. */
export interface TextSource {
  attemptId: string;
  delivery?: number | undefined;
  isRaw: boolean;
}

export const TextSourceContext = createContext<TextSource | undefined>(undefined);

interface RenderedTextProps {
  shown: ShownValue;
  label: string;
  /** A program's output and arguments are no Markdown. */
  isCode?: boolean;
}

/** A text of an attempt: Markdown and JSON formatted, long ones cut; a button shows all, loaded where it is not here. */
export function RenderedText({ shown: { value, whole }, label, isCode = false }: RenderedTextProps) {
  const [isLong, setLong] = useState(false);
  const loading = useWhole();
  const source = useContext(TextSourceContext);
  const loaded = loading.data === undefined ? value : loading.data;
  const isMissing = whole !== undefined && source !== undefined && loading.data === undefined;
  const isRaw = source?.isRaw === true;
  const { text, isJson } = useMemo(() => formatted(loaded, isRaw, isMissing), [loaded, isRaw, isMissing]);
  const words = useContext(MarkedWords);
  // The first match may be further down.
  const isCut = !isLong && firstMatch(text, words) < SHOWN_MAX;
  const shown = isCut ? text.slice(0, SHOWN_MAX) : text;
  const showAll = () => {
    setLong(true);
    if (isMissing) loading.mutate(whole);
  };
  const isAll = shown.length === text.length && !isMissing;
  const length = isMissing ? Math.max(whole.length, text.length) : text.length;
  return (
    <div className={css.text}>
      {isCode || isJson || shown.length > FORMATTED_MAX ? (
        <CodeBlock text={shown} label={label} shownMax={FORMATTED_MAX} />
      ) : isRaw ? (
        <p className={css.plain}>
          <Marked text={shown} />
        </p>
      ) : (
        <Markdown text={shown} hasLinks={false} />
      )}
      {!isAll && (
        <Button kind="quiet" isBusy={loading.isPending} onClick={showAll}>
          Show all {formatCount(length)} characters
          <span className="visually-hidden"> of {label}</span>
        </Button>
      )}
      {loading.error && <Failure error={loading.error} />}
    </div>
  );
}

/**
 * JSON in an indented form with the lines of its texts, and whether a text is JSON: an object or a list, for a number or
 * a word is text. `isRaw`: as it is; `isPart`: it may end anywhere.
 */
function formatted(value: unknown, isRaw: boolean, isPart: boolean): { text: string; isJson: boolean } {
  const text = textOfValue(value);
  const isJson = typeof value !== 'string' || /^\s*[[{]/.test(text);
  if (isRaw || !isJson || text.length > FORMATTED_MAX) return { text, isJson };
  if (typeof value !== 'string') return { text: withRealLines(text), isJson };
  if (isPart) return { text, isJson };
  try {
    return { text: withRealLines(JSON.stringify(JSON.parse(text), null, 2)), isJson };
  } catch {
    return { text, isJson: false };
  }
}

/** Loads the whole of a value that is not all here. */
function useWhole() {
  const { client } = useSession();
  const source = useContext(TextSourceContext);
  return useMutation({
    mutationFn: async ({ event, path }: WholeValue) => {
      const { attemptId = '', delivery } = source ?? {};
      const response = await client.call(routes.attempts.payload, {
        params: { attempt_id: attemptId, sequence_number: String(event) },
        query: delivery === undefined ? {} : { delivery },
      });
      const value = valueAt(await response.json(), path);
      return value === undefined ? null : (messagesIn(value) ?? value);
    },
  });
}

/** Messages of a model call as text; undefined for another value. */
function messagesIn(value: unknown): string | undefined {
  if (!isRecord(value) || !Array.isArray(value.messages)) return undefined;
  return value.messages
    .map((message: unknown) => {
      if (!isRecord(message)) return '';
      const { role, tool_name, text, result } = message;
      return `${[role, tool_name].map(textOf).filter(Boolean).join(' ')}:\n${textOfValue(text ?? result ?? message)}`;
    })
    .join('\n\n');
}

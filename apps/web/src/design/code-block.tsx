import { useState } from 'react';
import { Button } from './button.js';
import css from './code-block.module.css';
import { Marked } from './marked.js';

interface CodeBlockProps {
  /** Rendered as plain text. */
  text: string;
  label: string;
  /** Characters shown before a button shows the rest. */
  shownMax?: number;
}

/** Text of a program, an agent or a file, with a copy button; a long text is cut, and a button shows the rest. */
export function CodeBlock({ text, label, shownMax = 20_000 }: CodeBlockProps) {
  const [isWhole, setWhole] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const shown = isWhole ? text : text.slice(0, shownMax);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <figure className={css.block} aria-label={label}>
      <span className={css.copy}>
        <Button kind="quiet" onClick={copy} aria-label={`Copy ${label}`}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <pre className={css.text} tabIndex={0}>
        <Marked text={shown} />
      </pre>
      {shown.length < text.length && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </Button>
      )}
    </figure>
  );
}

/** Indented JSON. */
export function JsonBlock({ value, ...rest }: Omit<CodeBlockProps, 'text'> & { value: unknown }) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? 'undefined'} {...rest} />;
}

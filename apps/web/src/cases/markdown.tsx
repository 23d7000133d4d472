import { createContext, useContext } from 'react';
import { CodeBlock } from '../design/code-block.js';
import { Marked } from '../design/marked.js';
import css from './case.module.css';
import { type Block, type Inline, markdownBlocks } from './markdown-blocks.js';

/** False where links are shown as their addresses. */
const Links = createContext(true);

interface MarkdownProps {
  text: string;
  /** Text of an agent leads nowhere: its links are shown as their addresses. */
  hasLinks?: boolean;
}

/** Markdown as text of the page: no markup of its author gets into it. */
export function Markdown({ text, hasLinks = true }: MarkdownProps) {
  return (
    <Links.Provider value={hasLinks}>
      <div className={css.markdown}>
        {markdownBlocks(text).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never move.
          <BlockView key={index} block={block} />
        ))}
      </div>
    </Links.Provider>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.is) {
    case 'heading':
      // The headings of the page are not the author's.
      return (
        <p className={css.title} data-level={block.level}>
          <Inlines of={block.content} />
        </p>
      );
    case 'quote':
      return (
        <blockquote>
          <Inlines of={block.content} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of one text never move.
        <li key={index}>
          <Inlines of={item} />
        </li>
      ));
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'code':
      return <CodeBlock text={block.text} label="code" />;
    case 'table':
      return <Table head={block.head} rows={block.rows} />;
    case 'rule':
      return <hr />;
    case 'paragraph':
      return (
        <p>
          <Inlines of={block.content} />
        </p>
      );
  }
}

interface TableProps {
  head: readonly (readonly Inline[])[];
  rows: readonly (readonly (readonly Inline[])[])[];
}

function Table({ head, rows }: TableProps) {
  const cells = (row: TableProps['head'], Cell: 'td' | 'th') =>
    row.map((cell, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells of one text never move.
      <Cell key={index} scope={Cell === 'th' ? 'col' : undefined}>
        <Inlines of={cell} />
      </Cell>
    ));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.table} aria-label="table" tabIndex={0}>
      <table>
        <thead>
          <tr>{cells(head, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Inlines({ of }: { of: readonly Inline[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line never move.
  return of.map((piece, index) => <InlineView key={index} piece={piece} />);
}

function InlineView({ piece }: { piece: Inline }) {
  const hasLinks = useContext(Links);
  const text = <Marked text={piece.text} />;
  switch (piece.is) {
    case 'strong':
      return <strong>{text}</strong>;
    case 'emphasis':
      return <em>{text}</em>;
    case 'code':
      return <code>{text}</code>;
    case 'link':
      if (!hasLinks) {
        return (
          <>
            {text} <code>{piece.to}</code>
          </>
        );
      }
      return (
        <a href={piece.to} target="_blank" rel="noreferrer noopener">
          {text}
        </a>
      );
    case 'text':
      return text;
  }
}

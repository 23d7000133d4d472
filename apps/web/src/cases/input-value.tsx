import { CodeBlock, JsonBlock } from '../design/code-block.js';
import css from './case.module.css';
import { type InputView, inputView } from './input-view.js';
import { Markdown } from './markdown.js';
import type { TableData } from './table-data.js';

/** The value of an input, rendered by its kind. */
export function InputValue({ label, kind, value }: { label: string; kind: string; value: unknown }) {
  return <View label={label} view={inputView(kind, value)} />;
}

function View({ label, view }: { label: string; view: InputView }) {
  switch (view.as) {
    case 'text':
      return <p className={css.text}>{view.text}</p>;
    case 'markdown':
      return <Markdown text={view.text} />;
    case 'code':
      return <CodeBlock text={view.text} label={label} />;
    case 'json':
      return <JsonBlock value={view.value} label={label} />;
    case 'table':
      return <TableView label={label} table={view.table} />;
    case 'image':
      return <img className={css.image} src={view.source} alt={label} />;
  }
}

function TableView({ label, table: { columns, rows, omitted } }: { label: string; table: TableData }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section className={css.table} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((title, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and columns never move.
              <th key={at} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may repeat, and never move.
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 && <p>{omitted.toLocaleString('en')} more rows</p>}
    </section>
  );
}

import { csvRow } from '@agentclash/api/csv';

export const TABLE_FILES = ['csv', 'json'] as const;
type TableFile = (typeof TABLE_FILES)[number];

/** The rows of a table as they are shown, also columns that a narrow screen hides; times in full. */
export function tableFile(table: HTMLTableElement, format: TableFile): Blob {
  const { titles, rows } = contentOf(table);
  if (format === 'csv') return new Blob([titles, ...rows].map(csvRow), { type: 'text/csv; charset=utf-8' });
  const items = rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at] ?? ''])));
  return new Blob([JSON.stringify(items, null, 2)], { type: 'application/json' });
}

function contentOf(table: HTMLTableElement): { titles: string[]; rows: string[][] } {
  const cellsOf = (row: Element) => [...row.children].map(textOf);
  const titles = [...table.querySelectorAll('thead tr')].flatMap(cellsOf);
  // Columns of buttons have no title.
  const kept = (_value: unknown, at: number) => titles[at] !== '';
  // A heading of a group spans all columns.
  const isWhole = ({ children }: Element) => children.length === titles.length;
  const rows = [...table.querySelectorAll('tbody tr')]
    .filter(isWhole)
    .map((row) => cellsOf(row).filter(kept));
  return { titles: titles.filter(kept), rows };
}

/** The words of a cell in one line, members of a list apart. */
function textOf(cell: Element): string {
  return textOfNode(cell).replaceAll(/\s+/gu, ' ').trim().replace(/;$/, '');
}

function textOfNode(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element) || node instanceof SVGElement) return '';
  if (node.classList.contains('visually-hidden')) return '';
  if (node instanceof HTMLTimeElement) return node.dateTime;
  if (node instanceof HTMLSelectElement || node instanceof HTMLInputElement) return '';
  const text = [...node.childNodes].map(textOfNode).join('');
  return node instanceof HTMLLIElement ? `${text}; ` : text;
}

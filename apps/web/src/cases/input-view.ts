import { readTable, type TableData } from './table-data.js';

/** How the value of an input is shown. */
export type InputView =
  | { as: 'text' | 'markdown' | 'code'; text: string }
  | { as: 'json'; value: unknown }
  | { as: 'table'; table: TableData }
  | { as: 'image'; source: string };

type ViewOfValue = (value: unknown) => InputView | undefined;

/** By the kinds that have a look of their own; what does not fit its kind is shown as any other value. */
const VIEWS: Readonly<Record<string, ViewOfValue>> = {
  text: (value) => asText(value, 'text'),
  markdown: (value) => asText(value, 'markdown'),
  code: (value) => asText(value, 'code'),
  file: (value) => asText(value, 'code'),
  json: (value) => ({ as: 'json', value: typeof value === 'string' ? (parsed(value) ?? value) : value }),
  table: (value) => {
    const table = readTable(value);
    return table && { as: 'table', table };
  },
  image: (value) => (isImageData(value) ? { as: 'image', source: value } : undefined),
};

/** Kinds are free: one that is not known is shown as text, or as JSON when it is none. */
export function inputView(kind: string, value: unknown): InputView {
  const name = kind.toLowerCase();
  const view = Object.hasOwn(VIEWS, name) ? VIEWS[name]?.(value) : undefined;
  return view ?? asText(value, 'text') ?? { as: 'json', value };
}

function asText(value: unknown, as: 'text' | 'markdown' | 'code'): InputView | undefined {
  if (typeof value === 'string') return { as, text: value };
  return typeof value === 'number' || typeof value === 'boolean' ? { as, text: String(value) } : undefined;
}

/** An image in the document itself. Nothing is loaded from elsewhere. */
function isImageData(value: unknown): value is string {
  return typeof value === 'string' && /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/.test(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

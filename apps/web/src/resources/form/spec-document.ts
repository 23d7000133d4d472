import { type Document, isCollection, isMap, isScalar, parseDocument, stringify } from 'yaml';

/** A field of a spec: the keys on the way to it. */
export type SpecPath = readonly string[];

/** A spec as a text in YAML or JSON, read for a form. */
export interface SpecDocument {
  /** Undefined where the field is absent. */
  valueAt(path: SpecPath): unknown;
}

/** The document of a text; undefined while it cannot be parsed, or is no map: then a form can show nothing. */
export function specDocument(text: string): SpecDocument | undefined {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0 || !isFillable(document)) return undefined;
  return {
    valueAt: (path) => {
      const found: unknown = document.getIn(path);
      return isCollection(found) ? found.toJSON() : (found ?? undefined);
    },
  };
}

function isFillable({ contents }: Document): boolean {
  return contents === null || isMap(contents);
}

/**
 * The text with another value at a field; undefined removes the field, and the maps around it that become empty. Comments
 * and all that no form knows stay.
 */
export function withValue(text: string, path: SpecPath, value: unknown): string {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0 || !isFillable(document)) return text;
  if (value === undefined && !document.hasIn(path)) return text;
  const replaced = withScalar(text, document, { path, value });
  if (replaced !== undefined) return replaced;
  if (value === undefined) remove(document, path);
  else document.setIn(path, value);
  if (isJson(text)) return `${JSON.stringify(document.toJSON(), null, 2)}\n`;
  // As the text has it.
  const flowCollectionPadding = /[{[] /.test(text);
  return document.toString({ lineWidth: 0, flowCollectionPadding });
}

interface Change {
  path: SpecPath;
  value: unknown;
}

/** Replaces the characters of one value alone; undefined where that is not enough. */
function withScalar(text: string, document: Document, { path, value }: Change): string | undefined {
  const node: unknown = document.getIn(path, true);
  if (!isScalar(node) || !node.range || value === undefined || typeof value === 'object') return undefined;
  const [from, to] = node.range;
  const isQuoted = node.type === 'QUOTE_DOUBLE';
  const written = isQuoted ? JSON.stringify(value) : stringify(value, { lineWidth: 0 }).trimEnd();
  const changed = text.slice(0, from) + written + text.slice(to);
  const again = parseDocument(changed, { logLevel: 'silent' });
  const isRead = again.errors.length === 0 && again.getIn(path) === value;
  return isRead && !written.includes('\n') ? changed : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function remove(document: Document, path: SpecPath): void {
  document.deleteIn(path);
  const around = path.slice(0, -1);
  if (around.length === 0) return;
  const parent: unknown = document.getIn(around);
  if (isMap(parent) && parent.items.length === 0) remove(document, around);
}

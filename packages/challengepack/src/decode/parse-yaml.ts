import { formatBytes } from '@agentclash/domain';
import { Composer, CST, type Document, Lexer, Parser, type YAMLParseError } from 'yaml';
import { compose, DOCUMENT_BYTES_MAX, LEVELS_MAX, NODES_MAX } from './compose.js';
import { Fatal } from './fatal.js';
import type { SourceNode } from './source.js';
import { describeYamlError } from './yaml-problems.js';

/** The parser's own stack holds the document and one scalar besides the collections. */
const PARSER_STACK_MAX = LEVELS_MAX + 3;
/** Of the C0 control characters and DEL, YAML allows tab, line feed and carriage return alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/** Parses YAML text into its source tree. Throws {@link Fatal}. */
export function parseYaml(text: string): SourceNode {
  const forbidden = FORBIDDEN.exec(text);
  if (forbidden) throw new Fatal('yaml_syntax', 'a control character is not allowed here', forbidden.index);
  const [document, ...more] = composeDocuments(text);
  if (!document) throw new Fatal('document_empty', 'the document is empty');
  throwFirstError(text, document);
  const second = more[0];
  if (second) {
    throw new Fatal('yaml_multiple_documents', 'a pack is one document', startOf(second));
  }
  const root = document.contents && compose(document.contents);
  if (!root || (root.kind === 'scalar' && root.value === null)) {
    throw new Fatal('document_empty', 'the document is empty');
  }
  return root;
}

/** The input as text: UTF-8 decoded, without its byte-order mark. Throws {@link Fatal}. */
export function decodeUtf8(source: string | Uint8Array): string {
  const bytes = typeof source === 'string' ? utf8Length(source) : source.byteLength;
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw new Fatal('document_too_large', `the document has more than ${formatBytes(DOCUMENT_BYTES_MAX)}`);
  }
  if (typeof source === 'string') return source.startsWith('\ufeff') ? source.slice(1) : source;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    throw new Fatal('yaml_syntax', 'the document is not valid UTF-8');
  }
}

function utf8Length(text: string): number {
  // No text is shorter in UTF-8 than in UTF-16 units: a huge one need not be encoded to be refused.
  return text.length > DOCUMENT_BYTES_MAX ? text.length : new TextEncoder().encode(text).byteLength;
}

/**
 * The tokens of the first two documents. Nesting is watched while it grows, because the parser and the composer
 * become slow, and at last run out of stack, on documents nested thousands deep.
 */
function tokenize(text: string): CST.Token[] {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  const seen = new Map<string, number>();
  let documents = 0;
  const keep = (token: CST.Token) => {
    tokens.push(token);
    if (token.type === 'document') documents++;
  };
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) keep(token);
    if (parser.stack.length > PARSER_STACK_MAX) {
      throw new Fatal('yaml_limit', `more than ${LEVELS_MAX} levels of lists and maps`);
    }
    countIndicator(seen, lexeme);
    if (documents > 1) return tokens;
  }
  for (const token of parser.end()) keep(token);
  return tokens;
}

/** Scalars and every indicator occur at most once per node, so a flood of one of them is over the limit too. */
const COUNTED = new Set([CST.SCALAR, ',', ':', '-', '?', '[', '{', '&', '*', '!', '%']);

function countIndicator(seen: Map<string, number>, lexeme: string): void {
  const kind = lexeme.charAt(0);
  if (!COUNTED.has(kind)) return;
  const count = (seen.get(kind) ?? 0) + 1;
  if (count > NODES_MAX) throw new Fatal('yaml_limit', `more than ${NODES_MAX} values`);
  seen.set(kind, count);
}

function composeDocuments(text: string): Document.Parsed[] {
  const composer = new Composer({
    // Scalars are resolved by core-schema.ts, keys and merges by compose.ts: nothing may depend on a directive.
    schema: 'failsafe',
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents = [...composer.compose(tokenize(text))];
  const stray = composer.streamInfo().errors[0];
  if (documents.length === 0 && stray) throw syntaxError(text, stray);
  return documents;
}

function throwFirstError(text: string, document: Document.Parsed): void {
  let first = document.errors[0];
  for (const error of document.errors) if (first && error.pos[0] < first.pos[0]) first = error;
  if (first) throw syntaxError(text, first);
}

function syntaxError(text: string, { code, message, pos }: YAMLParseError): Fatal {
  const problem = describeYamlError(text, { code, message, at: pos[0] });
  return new Fatal('yaml_syntax', problem.message, problem.at);
}

function startOf(document: Document.Parsed): number {
  return document.range[0];
}

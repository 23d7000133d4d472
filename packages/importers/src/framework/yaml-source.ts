import { describeYamlError } from '@agentclash/challengepack';
import { Lexer, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { ImportError, type ImportLocation } from './import-error.js';

type Step = string | number;

/** A parsed YAML or JSON file, whose values can be located for problems. */
export interface YamlSource {
  file: string;
  value: unknown;
  /** The position of the value at a path, or of the nearest one above it that was written. */
  locate(path: readonly Step[]): ImportLocation;
}

const BYTES_MAX = 16 * 1_048_576;
const LEVELS_MAX = 64;
/** Beyond it a small file of aliases would become a huge value. */
const ALIASES_MAX = 1_000;

/** Reads YAML 1.2, of which JSON is a part. Anchors and merges are resolved. */
export function readYaml(text: string, file: string): YamlSource {
  if (text.length > BYTES_MAX) {
    throw new ImportError({ file, message: `the file has more than ${BYTES_MAX} characters` });
  }
  refuseDeepNesting(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: true,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  const position = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return line > 0 ? { line, column } : {};
  };
  if (error !== undefined) {
    const { at, message } = describeYamlError(text, {
      code: error.code,
      message: error.message,
      at: error.pos[0],
    });
    throw new ImportError({ file, ...position(at), message });
  }
  const bad = badAlias(document);
  if (bad !== undefined) throw new ImportError({ file, ...position(bad.at), message: bad.message });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (error) {
    const reason =
      error instanceof ReferenceError
        ? 'its aliases have too many values'
        : ((error as Error).message ?? 'it is malformed');
    throw new ImportError({ file, message: `the document cannot be read: ${reason}` });
  }
  return { file, value, locate: (path) => locate(document, path, position) };
}

/** An alias without an anchor before it, or inside of its own anchor, whose value would have no end. */
function badAlias(document: ReturnType<typeof parseDocument>): { at: number; message: string } | undefined {
  let found: { at: number; message: string } | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      const [at] = alias.range ?? [];
      if (at === undefined) return;
      const target = alias.resolve(document);
      if (target === undefined) found = { at, message: `no anchor before it is &${alias.source}` };
      const [start, end] = target?.range ?? [];
      if (start !== undefined && end !== undefined && at >= start && at < end)
        found = { at, message: 'the alias is inside of its own anchor' };
      return found && visit.BREAK;
    },
  });
  return found;
}

function locate(
  document: ReturnType<typeof parseDocument>,
  path: readonly Step[],
  position: (offset: number) => { line?: number; column?: number },
): { line?: number; column?: number } {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as { range?: [number, number, number] | null } | null | undefined)?.range;
    if (range) return position(range[0]);
  }
  return {};
}

/** The parser and the composer become slow, and run out of stack, on documents that are nested thousands deep. */
function refuseDeepNesting(text: string, file: string): void {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > LEVELS_MAX) {
      throw new ImportError({ file, message: `there are more than ${LEVELS_MAX} levels of lists and maps` });
    }
  }
}

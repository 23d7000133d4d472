/** An error as the YAML parser reports it; `at` is an offset in UTF-16 units. */
export interface ParserError {
  code: string;
  message: string;
  at: number;
}

/** A syntax error in terms of indentation and punctuation, at the position that the author has to change. */
export interface YamlProblem {
  message: string;
  at: number;
}

type Describe = (text: string, problem: ParserError) => YamlProblem | undefined;

const TABLE: Partial<Record<string, Describe>> = {
  TAB_AS_INDENT: (_text, { at }) => ({
    at,
    message: 'a tab in the indentation: YAML is indented with spaces',
  }),
  BLOCK_AS_IMPLICIT_KEY: nestedBehindValue,
  MULTILINE_IMPLICIT_KEY: withoutColon,
  BAD_INDENT: misaligned,
  BLOCK_IN_FLOW: (_text, { at }) => ({
    at,
    message: 'inside { } and [ ] entries are separated by commas: {a: 1, b: 2}',
  }),
  BAD_SCALAR_START: (text, { at }) => ({
    at,
    message: `a text cannot begin with ${text.charAt(at)}: put it in quotes`,
  }),
  BAD_DQ_ESCAPE: badEscape,
  BAD_ALIAS: (_text, { at }) => ({ at, message: 'a text cannot begin with & or *: put it in quotes' }),
  MISSING_CHAR: missingCharacter,
  UNEXPECTED_TOKEN: unexpected,
};

/** The parser's error, reworded where it is a common one. */
export function describeYamlError(text: string, problem: ParserError): YamlProblem {
  return TABLE[problem.code]?.(text, problem) ?? { at: problem.at, message: problem.message };
}

/** `a: b: c`, or a line that is indented below a value. */
function nestedBehindValue(text: string, { at, message }: ParserError): YamlProblem {
  if (message.includes('sequence')) return misalignedItem(text, at);
  const line = lineAt(text, at);
  if (/:(?:\s|$)/.test(text.slice(at, line.end))) {
    return { at, message: 'a second ": " in one line: put the text behind the first one in quotes' };
  }
  const next = nextLine(text, line.end);
  if (next === undefined) return { at, message };
  const [own, above] = [next.indent, line.indent];
  const advice =
    own > above
      ? `this line is indented by ${spaces(own)}, the one above by ${above}, and behind a value nothing can be nested: give both the same indentation, or write the value above below its key`
      : 'nothing can be nested behind a value';
  return { at: next.start + own, message: advice };
}

function withoutColon(text: string, { at }: ParserError): YamlProblem {
  const line = lineAt(text, at);
  const content = text.slice(at, line.end).trim();
  const [key] = /^[^\s:]+(?=:[^\s:])/.exec(content) ?? [];
  if (key !== undefined) return { at, message: `a colon needs a blank behind it: ${shown(`${key}: …`)}` };
  return {
    at,
    message: `${shown(content)} is neither "key: value" nor "- item": is a colon missing, or is a text of several lines not behind | ?`,
  };
}

function misaligned(text: string, { at, message }: ParserError): YamlProblem {
  if (message.startsWith('Flow')) {
    const isList = message.includes('sequence');
    const opened = unclosed(text.slice(0, at), isList ? '[' : '{');
    return {
      at: opened ?? at,
      message: `this ${isList ? '[' : '{'} is not closed with ${isList ? ']' : '}'}`,
    };
  }
  const line = lineAt(text, at);
  const location = Math.max(at, line.start + line.indent);
  const previous = previousLine(text, line.start);
  if (previous !== undefined && /[|>][-+\d]*\s*$/.test(blockHeaderAbove(text, line.start) ?? '')) {
    return {
      at: location,
      message: `a text behind | or > keeps at least the indentation of its first line: this line has only ${spaces(line.indent)}`,
    };
  }
  if (previous?.text.trimStart().startsWith('- ') && previous.indent === line.indent) {
    return {
      at: location,
      message:
        'a list and keys cannot be mixed at one level: a "- " is missing here, or the key belongs elsewhere',
    };
  }
  const above = previous === undefined ? '' : `, the one above by ${previous.indent}`;
  return {
    at: location,
    message: `the keys of one map begin in the same column: this line is indented by ${spaces(line.indent)}${above}, which fits no key above`,
  };
}

function misalignedItem(text: string, at: number): YamlProblem {
  const line = lineAt(text, at);
  return {
    at: line.start + line.indent,
    message: `the "- " of one list are in the same column: this one is indented by ${spaces(line.indent)}, which fits no list above`,
  };
}

function badEscape(text: string, { at }: ParserError): YamlProblem {
  const written = text.slice(at, at + 2);
  return {
    at,
    message: `${written} is no escape inside double quotes: use single quotes, or write \\${written}`,
  };
}

function missingCharacter(text: string, { at, message }: ParserError): YamlProblem | undefined {
  if (message.startsWith('Comments')) return { at, message: 'a comment needs a blank before its #' };
  const quote = /closing (["'])quote/.exec(message)?.[1];
  if (quote === undefined) return undefined;
  const opened = text.lastIndexOf(quote, at);
  return { at: opened === -1 ? at : opened, message: `this quote ${quote} is not closed` };
}

function unexpected(text: string, { at, message }: ParserError): YamlProblem | undefined {
  const bracket = /flow-(?:seq|map)-end/.test(message) ? text.charAt(at) : undefined;
  if (bracket !== undefined) return { at, message: `nothing is open that this ${bracket} could close` };
  if (message.startsWith('Block scalar header')) {
    return { at, message: 'behind | or > the line ends: the text begins in the next line, indented' };
  }
  if (!message.includes('at node end')) return undefined;
  const closer = text.slice(lineAt(text, at).start, at).trimEnd().slice(-1);
  if (closer === '}' || closer === ']') {
    return {
      at,
      message: `a value that begins with ${closer === '}' ? '{ is a map' : '[ is a list'}, and nothing can follow it: put a text such as "{{name}} …" in quotes`,
    };
  }
  return {
    at,
    message: `text behind a closed quote: put the whole text in quotes, and write a quote inside as ${closer === "'" ? "''" : '\\"'}`,
  };
}

interface Line {
  start: number;
  end: number;
  indent: number;
  text: string;
}

function lineAt(text: string, at: number): Line {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const found = text.indexOf('\n', at);
  const end = found === -1 ? text.length : found;
  const line = text.slice(start, end);
  return { start, end, indent: /^ */.exec(line)?.[0].length ?? 0, text: line };
}

/** The next line with content. */
function nextLine(text: string, after: number): Line | undefined {
  for (let at = after + 1; at < text.length; ) {
    const line = lineAt(text, at);
    if (hasContent(line)) return line;
    at = line.end + 1;
  }
  return undefined;
}

function previousLine(text: string, before: number): Line | undefined {
  for (let at = before - 1; at >= 0; ) {
    const line = lineAt(text, at);
    if (hasContent(line)) return line;
    at = line.start - 1;
  }
  return undefined;
}

function hasContent({ text }: Line): boolean {
  return !/^\s*(?:#|$)/.test(text);
}

/** The line above all lines that are indented deeper than it, as the head of a block of text would be. */
function blockHeaderAbove(text: string, before: number): string | undefined {
  const first = previousLine(text, before);
  let line = first;
  while (line !== undefined && first !== undefined && line.indent >= first.indent && line.indent > 0) {
    line = previousLine(text, line.start);
  }
  return line?.text;
}

/** Where the last bracket is opened that nothing closes. */
function unclosed(text: string, bracket: '[' | '{'): number | undefined {
  const closing = bracket === '[' ? ']' : '}';
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === closing) depth += 1;
    else if (text[at] === bracket && depth === 0) return at;
    else if (text[at] === bracket) depth -= 1;
  }
  return undefined;
}

function spaces(count: number): string {
  return count === 1 ? '1 space' : `${count} spaces`;
}

const SHOWN_MAX = 40;

function shown(text: string): string {
  const characters = [...text.slice(0, 2 * SHOWN_MAX)];
  return characters.length > SHOWN_MAX ? `${characters.slice(0, SHOWN_MAX).join('')}…` : text;
}

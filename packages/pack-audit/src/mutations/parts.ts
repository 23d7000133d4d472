import type { ScriptStep } from '@agentclash/attempt-plan';
import type { JsonValue } from '@agentclash/challengepack';
import type { Solution } from '../references/solution.js';
import { BASH } from './code/languages/bash.js';
import type { Language } from './code/languages/language.js';
import { languageOfCommand, languageOfFile } from './code/languages/languages.js';
import { kindOfFile, type TextKind } from './text/text-edits.js';

/** Longer texts have no mutants. */
const TEXT_MAX = 131_072;
/** As long as its bytes can be in UTF-8. */
export const TEXT_BYTES_MAX = TEXT_MAX * 3;

/** True for a tool whose calls some validator looks at. */
export type IsGradedTool = (name: string) => boolean;

/** A text of a solution that may be changed. */
export interface Part {
  /** As `Mutant.path`. */
  path?: string;
  text: string;
  /** Of a program; other texts have a kind alone. */
  language?: Language;
  kind: TextKind;
  /** The solution with another text. */
  put: (text: string) => Solution;
}

/** Files, script, steps and output, in this order. */
export function partsOf(solution: Solution, isGradedTool: IsGradedTool): Part[] {
  const { files, run, steps = [], output } = solution;
  const parts = [
    ...withoutTests(files.flatMap((_, index) => filePart(solution, index))),
    ...(run === undefined
      ? []
      : [{ ...script('run', run), put: (text: string) => ({ ...solution, run: text }) }]),
    ...steps.flatMap((_, index) => stepParts(solution, index, isGradedTool)),
    ...(output === undefined
      ? []
      : [{ ...prose(undefined, output), put: (text: string) => ({ ...solution, output: text }) }]),
  ];
  return parts.flatMap(withHereDocuments).filter(({ text }) => text.length <= TEXT_MAX);
}

function filePart(solution: Solution, index: number): Part[] {
  const file = solution.files[index];
  const text = file && (file.content instanceof Uint8Array ? utf8(file.content) : undefined);
  if (!file || text === undefined) return [];
  const put = (changed: string): Solution => ({
    ...solution,
    files: solution.files.with(index, { ...file, content: Buffer.from(changed) }),
  });
  return [{ ...named(file.path, text), put }];
}

function utf8(bytes: Uint8Array): string | undefined {
  if (bytes.length > TEXT_BYTES_MAX) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const TESTS = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest|[^/]*\.(?:test|spec))\.\w+$/;

/** The tests of a solution are seldom graded, unless they are all that it writes. */
function withoutTests(parts: Part[]): Part[] {
  const others = parts.filter(({ path }) => path === undefined || !TESTS.test(path));
  return others.length > 0 ? others : parts;
}

type Described = Omit<Part, 'put'>;

function named(path: string, text: string): Described {
  const language = languageOfFile(path, text);
  return { path, text, kind: kindOfFile(path), ...(language && { language }) };
}

function script(path: string, text: string): Described {
  return { path, text, kind: 'values', language: BASH };
}

function prose(path: string | undefined, text: string): Described {
  return { text, kind: 'prose', ...(path !== undefined && { path }) };
}

function stepParts(solution: Solution, index: number, isGradedTool: IsGradedTool): Part[] {
  const steps = solution.steps ?? [];
  const step = steps[index];
  if (!step) return [];
  const path = `steps[${index}]`;
  const put = (changed: ScriptStep): Solution => ({ ...solution, steps: steps.with(index, changed) });
  if ('message' in step) {
    // The wording of a conversation is free: its figures are not.
    const values = { path, text: step.message, kind: 'values' as const };
    return [{ ...values, put: (message) => put({ ...step, message }) }];
  }
  if ('answer' in step)
    return [{ ...prose(path, step.answer), put: (text) => put({ ...step, answer: text }) }];
  const { call } = step;
  const putArguments = (value: JsonValue) => put({ ...step, call: { ...call, arguments: value } });
  const written = textArgument(call);
  if (written) {
    const { key, described, rest } = written;
    return [{ ...described, path, put: (text) => putArguments({ ...rest, [key]: text }) }];
  }
  // Which calls lead to a result is free, unless a validator looks at them.
  if (!isGradedTool(call.name)) return [];
  const json = JSON.stringify(call.arguments, null, 1);
  return [{ path, text: json, kind: 'document', put: (text) => putArguments(JSON.parse(text)) }];
}

/** The argument that is a program or a file, where the tool has one. */
function textArgument({ name, arguments: given }: { name: string; arguments: JsonValue }) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const { path, content, command, answer } = given;
  if (name === 'write_file' && typeof content === 'string' && typeof path === 'string') {
    return { key: 'content', described: named(path, content), rest: given };
  }
  if (name === 'submit' && typeof answer === 'string') {
    return { key: 'answer', described: prose('', answer), rest: given };
  }
  if (typeof command === 'string') return { key: 'command', described: script('', command), rest: given };
  return undefined;
}

const HERE_DOCUMENT = /^([^\n#]*)<<-?[ \t]*(['"]?)(\w+)\2([^\n]*)\n([\s\S]*?)^[ \t]*\3[ \t]*$/dgm;

/** The script, and the files that it writes or runs as here documents. */
function withHereDocuments(part: Part): Part[] {
  if (part.language !== BASH) return [part];
  const inner = [...part.text.matchAll(HERE_DOCUMENT)].map((match): Part => {
    const [, before = '', , , after = '', body = ''] = match;
    const [start, end] = match.indices?.[5] ?? [0, 0];
    return {
      ...hereDocument(part.path, `${before} ${after}`, body),
      put: (text) => part.put(part.text.slice(0, start) + text + part.text.slice(end)),
    };
  });
  return [part, ...inner];
}

function hereDocument(path: string | undefined, command: string, body: string): Described {
  const target = />\s*['"]?([^\s'"|&;>]+)/.exec(command)?.[1];
  if (target !== undefined) return named(target, body);
  const language = languageOfCommand(command);
  return { ...prose(path, body), ...(language && { language }) };
}

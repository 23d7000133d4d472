import type { ApiError } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommanderError } from 'commander';
import { CommandError } from '../command-error.js';
import { fieldWithOption } from './field-options.js';
import type { Output } from './output.js';
import { oneLine, printable } from './printable.js';

/** A failure as it is reported. `code` is for programs, `lines` are printed below the message. */
interface FailureReport {
  exit: ExitCode;
  code: string;
  message: string;
  lines: readonly string[];
  hint?: string | undefined;
  facts?: Readonly<Record<string, unknown>>;
}

/** Reports on stderr why a command ended, and returns its exit code. Never a stack. */
export function reportFailure(error: unknown, { stderr, paint, modes }: Output): ExitCode {
  // The help of a group, which has been printed: nothing went wrong. A program gets no report.
  if (isHelp(error) && !modes.json) return EXIT_CODES.ok;
  const report = reportOf(error);
  if (report === undefined) return EXIT_CODES.ok;
  const { exit, code, message, lines, hint, facts } = report;
  if (modes.json) {
    stderr.write(`${JSON.stringify({ error: { ...facts, code, message, hint, lines } })}\n`);
    return exit;
  }
  stderr.write(`${paint.red('error')} ${printable(message)}\n`);
  for (const line of lines) stderr.write(`  ${oneLine(line)}\n`);
  if (hint !== undefined) stderr.write(`${paint.dim(printable(hint))}\n`);
  return exit;
}

function reportOf(error: unknown): FailureReport | undefined {
  if (error instanceof CommanderError) return usageOf(error);
  if (error instanceof CommandError) {
    const { exit, message, choices, hint } = error;
    return { exit: EXIT_CODES[exit], code: exit, message, lines: choices, hint };
  }
  if (isApiError(error)) return apiReport(error);
  if (isHinted(error)) {
    return {
      exit: EXIT_CODES.unavailable,
      code: error.code,
      message: error.message,
      lines: [],
      hint: error.hint,
    };
  }
  return bugReport(error);
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

/** Requested help is no failure. */
function usageOf({ code, exitCode, message }: CommanderError): FailureReport | undefined {
  if (exitCode === 0) return undefined;
  if (code === 'commander.help') {
    return {
      exit: EXIT_CODES.usage,
      code: 'usage',
      message: 'A command is missing: --help lists them',
      lines: [],
    };
  }
  const [text = message, ...lines] = message.replace(/^error: /, '').split('\n');
  return { exit: EXIT_CODES.usage, code: 'usage', message: text, lines };
}

function apiReport({ exitCode, code, detail, errors, facts, request_id }: ApiError): FailureReport {
  const lines = errors.map(({ code: entryCode, field, message, line, column }) => {
    const position = line === undefined ? '' : `${line}:${column ?? 1} `;
    return `${position}${entryCode} ${field === '' ? '' : `${fieldWithOption(field)}: `}${message}`;
  });
  const hint = code === 'internal' && request_id !== null ? `Request ${request_id}` : HINTS[code];
  return { exit: exitCode, code, message: detail, lines, hint, facts: { ...facts, request_id, errors } };
}

const HINTS: Partial<Record<string, string>> = {
  unavailable: 'agentclash doctor shows what is missing.',
  unauthenticated: 'Is the token right, and for this server? agentclash doctor checks it.',
};

function bugReport(error: unknown): FailureReport {
  const systemCode = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: EXIT_CODES.try_again,
    code: systemCode ?? 'internal',
    message: systemCode === undefined ? `Something went wrong: ${message}` : message,
    lines: [],
    hint: systemCode === undefined ? undefined : SYSTEM_HINTS[systemCode]?.(),
  };
}

/** By the code of the system's error on a file. */
const SYSTEM_HINTS: Partial<Record<string, () => string>> = {
  EACCES: () =>
    `This runs as user ${process.getuid?.() ?? '?'}: make that user the owner of the file or its folder (chown), or run it as the owner.`,
  EROFS: () => 'The file system is read-only: mount it writable, or name another folder.',
};

/** The class itself is not loaded for this: commands that meet no server must start without it. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}

/** Errors of the embedded stack carry a hint. */
function isHinted(error: unknown): error is Error & { code: string; hint: string } {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string' && 'code' in error;
}

import {
  COMMAND_WORDS_MAX,
  HEADER_NAME,
  HEADER_VALUE,
  SERVER_FILES_MAX,
  SERVER_NAME,
  SERVER_NAME_FORM,
  SERVER_URL_LENGTH_MAX,
  SERVERS_MAX,
} from '@agentclash/domain';
import { list, map } from '../decode/collections.js';
import { record } from '../decode/record.js';
import { optional, required, withOptions } from '../decode/shape.js';
import { type TextProblem, text } from '../decode/text.js';
import { keyText, relativePathText } from '../decode/text-forms.js';
import type { PackServer, ServerFile } from '../pack/model.js';
import { ENVIRONMENT } from './policy.js';

/** Of one word of a command: the kernel takes up to 128 KiB, four bytes a character. */
const WORD_LENGTH_MAX = 16_384;

const FILE = record<ServerFile>({
  artifact_key: required(keyText(), 'The key of an asset of version.assets.'),
  path: optional(relativePathText(), 'Path below /mcp/NAME. Absent: the path of the asset.'),
});

const SERVER = record<PackServer>({
  name: required(
    text({ pattern: SERVER_NAME, form: SERVER_NAME_FORM }),
    'The name of the server; an agent calls its tool add as NAME__add.',
  ),
  command: optional(
    list(text({ verbatim: true, lengthMax: WORD_LENGTH_MAX, check: wordProblem }), {
      nonEmpty: true,
      lengthMax: COMMAND_WORDS_MAX,
    }),
    'A server in the sandbox: the program and its arguments, one each, without a shell around them.',
  ),
  env: optional(ENVIRONMENT, 'Command: further environment variables, as literals.'),
  files: optional(
    list(FILE, { lengthMax: SERVER_FILES_MAX }),
    'Command: its files, in /mcp/NAME, where only the platform writes.',
  ),
  url: optional(
    text({ lengthMax: SERVER_URL_LENGTH_MAX }),
    'A server at a URL, called from outside of the sandbox by the rules of its network.',
  ),
  headers: optional(
    map(text({ verbatim: true, pattern: HEADER_VALUE, form: 'visible characters of Latin-1' }), {
      checkKey: headerNameProblem,
      keyPattern: HEADER_NAME,
    }),
    'URL: headers of every request; ${secrets.NAME} is replaced by a secret.',
  ),
});

/** A server would not work without what a typing error drops. */
export const MCP_SERVERS = withOptions(
  { unknownKeys: 'error' },
  list(SERVER, { unique: 'name', lengthMax: SERVERS_MAX }),
);

function wordProblem(word: string): TextProblem | undefined {
  if (!word.includes('\0')) return undefined;
  return { code: 'malformed', message: 'no word of a command can hold the character U+0000' };
}

function headerNameProblem(name: string) {
  if (HEADER_NAME.test(name)) return undefined;
  return { code: 'malformed', message: 'expected the name of a header' } as const;
}

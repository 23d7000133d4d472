import { ImportError } from '../framework/import-error.js';
import { readText } from '../framework/import-source.js';
import { ConfigValue, isMap } from './config-value.js';
import {
  CODE_FILE,
  fileNamed,
  namedBy,
  type PromptfooContext,
  readConfigFile,
  reportDropped,
} from './context.js';
import { packTemplate, placeholdersOf, unsupportedSyntax } from './templates.js';

/** A prompt as the instructions of a challenge. */
export interface PackPrompt {
  label: string;
  instructions: string;
  /** The paths of the variables that it inserts. */
  placeholders: string[];
}

const TEXT_FILE = /\.(?:txt|md|j2|json|ya?ml)$/i;

export async function readPrompts(context: PromptfooContext, at: ConfigValue): Promise<PackPrompt[]> {
  const entries = entriesOf(context, at);
  const prompts: PackPrompt[] = [];
  for (const entry of entries) prompts.push(...(await namedBy(entry.at, () => promptsOf(context, entry))));
  if (prompts.length > 0) return prompts;
  if (entries.length === 0) throw at.fail('there are no prompts');
  throw new ImportError(
    { file: at.file, field: 'prompts', message: 'no prompt can be imported' },
    context.losses.items
      .filter(({ fate, key }) => fate === 'dropped' && key.startsWith('prompts'))
      .map(({ key, reason }) => `${key}: ${reason}`)
      .join('; '),
  );
}

interface Entry {
  at: ConfigValue;
  text: string;
  label?: string;
}

/** The forms of the key: a text, a list of texts and maps, and the older map from file to label. */
function entriesOf(context: PromptfooContext, at: ConfigValue): Entry[] {
  if (typeof at.value === 'string') return [{ at, text: at.value }];
  if (isMap(at.value))
    return at.keys().map((file) => ({ at: at.at(file), text: file, label: at.at(file).text() }));
  return at.list().map((each) => {
    if (typeof each.value === 'string') return { at: each, text: each.value };
    const id = each.at('raw').optionalText() ?? each.at('id').optionalText();
    const label = each.at('label').optionalText();
    reportDropped(context, each, {
      config: 'a prompt has no settings of its own',
      function: 'prompts in code are not run',
    });
    if (id === undefined) throw each.fail('a prompt needs raw or id');
    return { at: each, text: id, ...(label !== undefined && { label }) };
  });
}

async function promptsOf(context: PromptfooContext, { at, text, label }: Entry): Promise<PackPrompt[]> {
  const { losses } = context;
  const drop = (reason: string) => {
    losses.dropped(at.file, at.path, reason);
    return [];
  };
  if (CODE_FILE.test(text) && !text.includes('\n')) return drop('prompts in code are not run');
  if (/[*?]/.test(text) && text.startsWith('file://'))
    return drop('name each file: patterns are not expanded');
  const file = fileNamed(context, text) ?? (await unmarkedFile(context, text));
  if (file === undefined) return promptOf(context, { at, text, label: label ?? firstWords(text) });
  const name = label ?? file.split('/').at(-1) ?? file;
  if (/\.(?:ya?ml|json)$/i.test(file)) {
    const root = await readConfigFile(context, file);
    return promptOf(context, { at, text: JSON.stringify(root.value), label: name });
  }
  const content = await readText(context.source, file);
  const parts = content.split(/^---[ \t]*$/m).filter((part) => part.trim() !== '');
  return parts.flatMap((part, index) =>
    promptOf(context, { at, text: part.trim(), label: parts.length === 1 ? name : `${name} ${index + 1}` }),
  );
}

/** A text that is the name of a file beside the configuration. */
async function unmarkedFile({ source, file }: PromptfooContext, text: string): Promise<string | undefined> {
  if (text.length > 200 || !TEXT_FILE.test(text) || /[\s{}\\]/.test(text) || text.includes('..'))
    return undefined;
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  const path = `${folder}${text.replace(/^\.\//, '')}`;
  return (await source.find(path)) === undefined ? undefined : path;
}

function promptOf({ losses }: PromptfooContext, { at, text, label }: Required<Entry>): PackPrompt[] {
  const chat = messagesOf(text);
  const template = chat ?? text;
  const syntax = unsupportedSyntax(template);
  if (syntax !== undefined) {
    losses.dropped(at.file, at.path, `templates of packs insert values and do nothing else: ${syntax}`);
    return [];
  }
  if (template.trim() === '') throw at.fail('the prompt is empty');
  if (chat === undefined) losses.carried(at.file, at.commonPath, 'the instructions of a challenge');
  else losses.changed(at.file, at.path, 'messages of a chat become one text with their roles');
  const placeholders = placeholdersOf(template);
  return [{ label, instructions: packTemplate(template), placeholders }];
}

/** The texts of a chat with their roles; a single message alone. */
function messagesOf(text: string): string | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value.map((message) => {
    const { role, content } = isMap(message) ? message : {};
    return typeof role === 'string' && typeof content === 'string' ? { role, content } : undefined;
  });
  if (messages.includes(undefined)) return undefined;
  if (messages.length === 1) return messages[0]?.content;
  return messages.map((message) => `${message?.role}: ${message?.content}`).join('\n\n');
}

function firstWords(text: string): string {
  return text.trim().split(/\s+/).slice(0, 6).join(' ').slice(0, 60);
}

import { editorSchema, quickFixes, readPack } from '@agentclash/challengepack';
import type { Checked, Cursor, EditorOrder, EditorReply, EditorResults, PackToCheck } from './orders.js';
import type { YamlLanguage } from './yaml-language.js';

// Runs apart from the page, under a policy of its own: a large document does not hold the page up, and JSON Schemas are
// compiled to code where there is nothing to reach.
addEventListener('message', ({ data }: MessageEvent<EditorOrder>) => {
  void replyTo(data).then((reply) => postMessage(reply));
});

async function replyTo({ id, ...work }: EditorOrder): Promise<EditorReply> {
  try {
    return { id, result: await resultOf(work) };
  } catch (error) {
    return { id, bug: error instanceof Error ? error.message : String(error) };
  }
}

async function resultOf({
  check,
  complete,
  hover,
}: Omit<EditorOrder, 'id'>): Promise<EditorResults[keyof EditorResults]> {
  if (check) return checkPack(check);
  if (complete) return await (await languageOf(complete)).complete(complete.text, complete.offset);
  if (hover) return await (await languageOf(hover)).hover(hover.text, hover.offset);
  throw new Error('an order without work');
}

function checkPack({ text, files }: PackToCheck): Checked {
  const known = new Set(files);
  const wanted = new Set<string>();
  const { valid, problems, summary } = readPack(text, {
    fileExists: (path) => {
      wanted.add(path);
      return known.has(path);
    },
  });
  const fixes = quickFixes(text, problems, (changed) =>
    readPack(changed, { fileExists: (path) => known.has(path) }),
  );
  return { valid, problems, fixes, summary, wanted: [...wanted] };
}

/** By the text of their schemas; that of packs by no text. */
const languages = new Map<string, YamlLanguage>();

/** The language service is three times as large as the checker: it is loaded by the first completion. */
async function languageOf({ schema }: Cursor): Promise<YamlLanguage> {
  const key = schema === undefined ? '' : JSON.stringify(schema);
  const known = languages.get(key);
  if (known) return known;
  const { YamlLanguage } = await import('./yaml-language.js');
  const language = new YamlLanguage(schema ?? editorSchema());
  languages.set(key, language);
  return language;
}

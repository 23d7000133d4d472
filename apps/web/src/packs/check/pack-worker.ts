import { readPack } from '@agentclash/challengepack';
import type { Checked, CheckOrder, CheckReply } from './checked.js';

// Runs apart from the page, under a policy of its own: a large document does not hold the page up, and the JSON Schemas
// of a pack are compiled to code where there is nothing to reach.
addEventListener('message', ({ data }: MessageEvent<CheckOrder>) => {
  postMessage(replyTo(data));
});

function replyTo({ id, text, files }: CheckOrder): CheckReply {
  try {
    return { id, checked: check(text, new Set(files)) };
  } catch (error) {
    return { id, bug: error instanceof Error ? error.message : String(error) };
  }
}

function check(text: string, files: ReadonlySet<string>): Checked {
  const wanted = new Set<string>();
  const { valid, problems, summary } = readPack(text, {
    fileExists: (path) => {
      wanted.add(path);
      return files.has(path);
    },
  });
  return { valid, problems, summary, wanted: [...wanted] };
}

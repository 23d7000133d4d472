import { type PackSummary, type Problem, readPack } from '@agentclash/challengepack';

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

/** A document to check, with the paths of its available files. */
export interface CheckOrder {
  id: number;
  text: string;
  files: readonly string[];
}

/** The result of a check. */
export interface Checked {
  valid: boolean;
  problems: readonly Problem[];
  summary: PackSummary;
  /** Paths of the files that it refers to. */
  wanted: readonly string[];
}

export type CheckReply = { id: number } & ({ checked: Checked } | { bug: string });

import type { GraderExpectation } from '@agentclash/attempt-plan';
import { type JsonValue, valueText } from '@agentclash/challengepack';
import { type ArtifactReader, readArtifact } from '../staging/artifacts.js';

/** Where a test command finds what was expected. */
export const GRADER_DIRECTORY = '/grader';

export interface GraderFile {
  /** Relative to {@link GRADER_DIRECTORY}. */
  path: string;
  content: string | Uint8Array;
}

/** One file for each expectation whose key is a relative path, and `expectations.json` with all of them by key. */
export async function graderFiles(
  expectations: readonly GraderExpectation[],
  artifacts: ArtifactReader,
  signal: AbortSignal,
): Promise<GraderFile[]> {
  const files: GraderFile[] = [];
  const byKey: [string, JsonValue][] = [];
  for (const expectation of expectations) {
    const { key } = expectation;
    if ('artifact' in expectation) {
      const content = await readArtifact(expectation.artifact, artifacts, signal);
      files.push({ path: key, content });
      byKey.push([key, new TextDecoder().decode(content)]);
    } else {
      files.push({ path: key, content: valueText(expectation.value) });
      byKey.push([key, expectation.value]);
    }
  }
  const all = { path: 'expectations.json', content: JSON.stringify(Object.fromEntries(byKey)) };
  return [...files.filter(({ path }) => isRelativePath(path) && path !== all.path), all];
}

/** Not absolute, without `..`, backslashes and control characters. */
function isRelativePath(key: string): boolean {
  if (key === '' || key.startsWith('/') || /^[A-Za-z]:/.test(key) || key.includes('\\')) return false;
  return !key.split('/').includes('..') && !hasControlCharacter(key);
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

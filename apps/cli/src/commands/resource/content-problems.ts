import { membersAt } from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import { type Reference, withValues } from '../../deployment-file/body-of.js';
import { problemsOf } from '../../deployment-file/issues.js';
import type { DeploymentFile, Entry } from '../../deployment-file/read.js';
import { KINDS } from '../../resources/kinds.js';
import type { Problem } from '../../yaml/problem-line.js';
import { type FieldPath, YamlFile } from '../../yaml/yaml-file.js';
import type { LocalContents } from './local-files.js';

type PutIn = Reference & { to: 'text' | 'document'; bodyPath: FieldPath };

/** Problems of the texts and documents that a deployment file names, each at its name and with its own line. */
export function contentProblems({ entries, source }: DeploymentFile, contents: LocalContents): Problem[] {
  return entries.flatMap((entry) => {
    const put = entry.references.filter(isPutIn);
    if (put.length === 0) return [];
    const values = put.map(({ to, name, bodyPath }) => ({ bodyPath, value: contents.valueOf(to, name) }));
    const checked = KINDS[entry.kind].spec.safeParse(withValues(entry.body, values));
    if (checked.success) return [];
    return put.flatMap((reference) => {
      const issues = checked.error.issues.flatMap(({ path, ...issue }) => {
        const isInside = reference.bodyPath.every((step, index) => step === path[index]);
        return isInside ? [{ ...issue, path: path.slice(reference.bodyPath.length) }] : [];
      });
      return problemsInside(entry, reference, { issues, contents }).map((problem) =>
        source.problemAt([...entry.at, ...reference.written], problem),
      );
    });
  });
}

function isPutIn(reference: Reference): reference is PutIn {
  const { to, bodyPath } = reference;
  return bodyPath !== undefined && (to === 'text' || to === 'document');
}

function problemsInside(
  { kind }: Entry,
  { to, name, bodyPath }: PutIn,
  { issues, contents }: { issues: readonly unknown[]; contents: LocalContents },
): Pick<Problem, 'code' | 'message'>[] {
  const text = to === 'document' ? String(contents.valueOf('text', name)) : '';
  const found = problemsOf(
    { success: false, error: { issues } },
    {
      file: new YamlFile(text),
      base: [],
      authored: (path) => path,
      known: (path) => membersAt(KINDS[kind].spec, [...bodyPath, ...path]),
      nearest: nearestName,
    },
  );
  return found.map(({ code, line, field, message }) => ({
    code,
    message: to === 'text' ? `${name} ${message}` : `${`${name}:${line} ${field}`.trimEnd()}: ${message}`,
  }));
}

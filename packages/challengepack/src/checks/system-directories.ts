import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { SandboxPolicy } from '../pack/model.js';
import { systemDirectoryOf } from '../pack/system-directories.js';
import { eachEntry, type PackCheck } from './pack-check.js';

type Root = Draft<Pick<SandboxPolicy, 'image' | 'dockerfile' | 'sandbox_template_id'>>;

/** Directories that agents are to write and that no sandbox makes writable: its runs would fail. */
export function checkSystemDirectories(check: PackCheck): void {
  if (check.mode === 'prompt_eval') return;
  const { filesystem, sandbox } = check.pack.version ?? {};
  const challenges = [...eachEntry(check.pack.challenges, check.paths.challenges)];
  const cases = [...check.cases()];
  const ofVersion = hasRoot(sandbox);
  const withRoot = new Set(challenges.flatMap(([each]) => (hasRoot(each.sandbox) ? [each.key] : [])));
  // The directories of the pack are those of every case: one with an image leaves it open which are meant.
  const ofCases = new Set(
    cases.flatMap(({ case: each }) => (hasRoot(each.sandbox) ? [each.challenge_key] : [])),
  );
  const hasAny = ofVersion || withRoot.size > 0 || ofCases.size > 0;
  const filesystemAt = check.paths.version.field('filesystem');
  report(check, filesystem?.working_directory, {
    at: filesystemAt.field('working_directory'),
    hasImage: hasAny,
  });
  for (const [path, at] of eachEntry(filesystem?.writable_roots, filesystemAt.field('writable_roots'))) {
    report(check, path, { at, hasImage: hasAny });
  }
  for (const [{ key, sandbox: own }, at] of challenges) {
    const hasImage = ofVersion || hasRoot(own) || ofCases.has(key);
    report(check, own?.working_directory, { at: directoryOf(at), hasImage });
  }
  for (const { case: each, at } of cases) {
    const hasImage = ofVersion || hasRoot(each.sandbox) || withRoot.has(each.challenge_key);
    report(check, each.sandbox?.working_directory, { at: directoryOf(at), hasImage });
  }
}

function directoryOf(at: FieldPath): FieldPath {
  return at.field('sandbox').field('working_directory');
}

/** True when a root of its own may show other directories than those of the machine. */
function hasRoot(sandbox: Root | undefined): boolean {
  return (sandbox?.image ?? sandbox?.dockerfile ?? sandbox?.sandbox_template_id) !== undefined;
}

function report(
  check: PackCheck,
  path: string | undefined,
  { at, hasImage }: { at: FieldPath; hasImage: boolean },
): void {
  if (path === undefined) return;
  const system = systemDirectoryOf(path, { hasImage });
  if (system === undefined) return;
  const isOfKernel = systemDirectoryOf(path, { hasImage: true }) !== undefined;
  const message = isOfKernel
    ? `no sandbox makes ${path} writable: ${system} is that of the kernel`
    : `no sandbox without an image makes ${path} writable: name a directory outside of ${system}, or an image`;
  check.report('not_writable', at, { message });
}

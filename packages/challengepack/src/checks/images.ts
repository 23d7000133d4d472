import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { CaseSandbox, SandboxPolicy } from '../pack/model.js';
import { eachEntry, type PackCheck } from './pack-check.js';

type WithImage = Draft<Pick<SandboxPolicy & CaseSandbox, 'image' | 'run_as_root'>>;

/** An image brings its own packages; a user without an image means nothing. */
export function checkImages(check: PackCheck): void {
  const versionAt = check.paths.version.field('sandbox');
  const { sandbox } = check.pack.version ?? {};
  checkRoot(check, sandbox, versionAt);
  if (sandbox?.image !== undefined) {
    for (const name of ['sandbox_template_id', 'additional_packages'] as const) {
      if (sandbox[name] === undefined) continue;
      const message =
        'an image is the whole root of the sandbox: build it with what the template or packages bring';
      check.report('contradiction', versionAt.field(name), { message });
    }
  }
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    checkRoot(check, challenge.sandbox, at.field('sandbox'));
  }
  for (const { case: each, at } of check.cases()) checkRoot(check, each.sandbox, at.field('sandbox'));
}

function checkRoot(check: PackCheck, sandbox: WithImage | undefined, at: FieldPath): void {
  if (sandbox?.run_as_root !== true || sandbox.image !== undefined || check.isUndecodable(at.field('image')))
    return;
  const message = 'only the sandbox of an image can run as root: name the image beside it';
  check.report('contradiction', at.field('run_as_root'), { message });
}

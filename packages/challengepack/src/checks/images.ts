import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { CaseSandbox, SandboxPolicy } from '../pack/model.js';
import { eachEntry, type PackCheck } from './pack-check.js';

type WithImage = Draft<
  Pick<SandboxPolicy & CaseSandbox, 'image' | 'dockerfile' | 'build_network_access' | 'run_as_root'>
>;

/** An image, named or built, brings its own packages; a user or a build without one means nothing. */
export function checkImages(check: PackCheck): void {
  const versionAt = check.paths.version.field('sandbox');
  const { sandbox } = check.pack.version ?? {};
  checkSandbox(check, sandbox, versionAt);
  if (sandbox?.image !== undefined || sandbox?.dockerfile !== undefined) {
    for (const name of ['sandbox_template_id', 'additional_packages'] as const) {
      if (sandbox[name] === undefined) continue;
      const message =
        'an image is the whole root of the sandbox: build it with what the template or packages bring';
      check.report('contradiction', versionAt.field(name), { message });
    }
  }
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    checkSandbox(check, challenge.sandbox, at.field('sandbox'));
  }
  for (const { case: each, at } of check.cases()) checkSandbox(check, each.sandbox, at.field('sandbox'));
}

function checkSandbox(check: PackCheck, sandbox: WithImage | undefined, at: FieldPath): void {
  if (sandbox === undefined) return;
  const { image, dockerfile, build_network_access, run_as_root } = sandbox;
  const has = (name: 'image' | 'dockerfile', value: unknown) =>
    value !== undefined || check.isUndecodable(at.field(name));
  const isBuilt = has('dockerfile', dockerfile);
  if (image !== undefined && !image.includes('@')) reportTag(check, image, at.field('image'));
  if (image !== undefined && dockerfile !== undefined) {
    const message = 'an image is named or built: keep image or dockerfile';
    check.report('contradiction', at.field('dockerfile'), { message });
  }
  if (build_network_access === true && !isBuilt) {
    const message = 'only a build has this network: name the dockerfile beside it, or set network_access';
    check.report('contradiction', at.field('build_network_access'), { message });
  }
  if (run_as_root === true && !isBuilt && !has('image', image)) {
    const message = 'only the sandbox of an image can run as root: name the image beside it';
    check.report('contradiction', at.field('run_as_root'), { message });
  }
}

function reportTag(check: PackCheck, image: string, at: FieldPath): void {
  if (check.problems.isFaulty(at)) return;
  const reason = `${image} may be another image tomorrow`;
  if (check.surroundings.pinsImages) {
    const message = `${reason}: publishing pins the digest that its registry has then`;
    check.report('image_not_pinned', at, { message });
  } else {
    const message = `${reason}: write NAME@sha256:DIGEST, which \`agentclash image pull ${image}\` prints, or publish with \`agentclash challenge-pack publish\`, which pins it`;
    check.report('image_not_pinned', at, { message, severity: 'error' });
  }
}

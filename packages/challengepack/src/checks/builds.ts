import { baseImages } from '@agentclash/domain';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { CaseSandbox } from '../pack/model.js';
import {
  CONTEXT_BYTES_MAX,
  DOCKERFILE_BYTES_MAX,
  pathBelow,
  splitDockerfile,
} from '../publish/build-context.js';
import { nearestName } from '../text/nearest-name.js';
import type { DeclaredAsset, DeclaredScope } from './asset-scopes.js';
import type { PackCheck } from './pack-check.js';

/** The part of a build's context that one scope declares. */
interface ScopeContext {
  files: ReadonlyMap<string, DeclaredAsset>;
  bytes: number;
}

const IN_A_FOLDER =
  'a Dockerfile lies in a folder of its own, such as environment/Dockerfile: the assets of that folder are what it can copy';
const PINNED = /@sha256:[0-9a-f]{64}$/;

/** Every Dockerfile is an asset from which an image can be built, and what is in its folder is used. */
export class Builds {
  readonly #contexts = new WeakMap<DeclaredScope, Map<string, ScopeContext>>();
  readonly #texts = new Map<DeclaredAsset, readonly TextFinding[]>();

  constructor(private readonly check: PackCheck) {}

  /** `scopes`: the assets that the sandbox at `sandboxAt` sees, the nearest first. */
  checkSandbox(
    sandbox: Draft<Pick<CaseSandbox, 'dockerfile'>> | undefined,
    sandboxAt: FieldPath,
    scopes: readonly DeclaredScope[],
  ): void {
    const dockerfile = sandbox?.dockerfile;
    const at = sandboxAt.field('dockerfile');
    if (dockerfile === undefined) return;
    const split = splitDockerfile(dockerfile);
    if (split === undefined) {
      this.check.report('malformed', at, { message: IN_A_FOLDER });
      return;
    }
    const contexts = scopes.map((scope) => this.#contextOf(scope, split.folder));
    const found = contexts.map(({ files }) => files.get(split.name)).find((asset) => asset !== undefined);
    if (found === undefined) {
      if (!scopes.some(({ hasHoles }) => hasHoles)) this.#unknown(dockerfile, at, scopes);
      return;
    }
    for (const { code, message } of this.#findingsIn(found)) this.check.report(code, at, { message });
    const bytes = contexts.reduce((sum, context) => sum + context.bytes, 0);
    if (bytes > CONTEXT_BYTES_MAX) {
      const message = `the assets in ${split.folder} have ${bytes} bytes together: at most ${CONTEXT_BYTES_MAX} are sent to a build`;
      this.check.report('context_too_large', at, { message });
    }
  }

  #unknown(dockerfile: string, at: FieldPath, scopes: readonly DeclaredScope[]): void {
    const paths = scopes.flatMap(({ assets }) =>
      [...assets.values()].flatMap(({ asset }) => asset.path ?? []),
    );
    const suggestion = nearestName(dockerfile, paths);
    const message = `no asset that this sandbox sees has the path ${dockerfile}: declare it, and every file that it copies, under assets`;
    this.check.report('unknown_reference', at, { message, ...(suggestion && { suggestion }) });
  }

  /** The assets of a scope in the folder, which count as used from then on. */
  #contextOf(scope: DeclaredScope, folder: string): ScopeContext {
    const known = this.#contexts.get(scope) ?? new Map<string, ScopeContext>();
    this.#contexts.set(scope, known);
    const made = known.get(folder);
    if (made !== undefined) return made;
    const files = new Map<string, DeclaredAsset>();
    let bytes = 0;
    for (const declared of scope.assets.values()) {
      const path = pathBelow(folder, declared.asset.path ?? '');
      if (path === undefined) continue;
      declared.isUsed = true;
      declared.isGiven = true;
      if (files.has(path)) continue;
      files.set(path, declared);
      bytes += this.check.surroundings.fileBytes?.(declared.asset) ?? 0;
    }
    const context = { files, bytes };
    known.set(folder, context);
    return context;
  }

  #findingsIn(declared: DeclaredAsset): readonly TextFinding[] {
    const known = this.#texts.get(declared);
    if (known !== undefined) return known;
    const { fileBytes, fileText } = this.check.surroundings;
    const { asset } = declared;
    const bytes = fileBytes?.(asset);
    const isBeside = asset.artifact_id === undefined && asset.path !== undefined;
    const text = isBeside ? fileText?.(asset.path ?? '') : undefined;
    const found = findingsOf(bytes, text);
    this.#texts.set(declared, found);
    return found;
  }
}

interface TextFinding {
  code: 'invalid_dockerfile' | 'image_not_pinned';
  message: string;
}

function findingsOf(bytes: number | undefined, text: string | undefined): TextFinding[] {
  if (bytes === 0) return [{ code: 'invalid_dockerfile', message: 'the Dockerfile is empty' }];
  if ((bytes ?? 0) > DOCKERFILE_BYTES_MAX) {
    const message = `the Dockerfile is larger than ${DOCKERFILE_BYTES_MAX} bytes`;
    return [{ code: 'invalid_dockerfile', message }];
  }
  if (text === undefined) return [];
  const images = baseImages(text);
  if (images === undefined) {
    const message = 'the Dockerfile names no image to start from: it needs FROM NAME@sha256:DIGEST';
    return [{ code: 'invalid_dockerfile', message }];
  }
  return images
    .filter(({ name }) => !PINNED.test(name))
    .map(({ name, line }) => ({
      code: 'image_not_pinned',
      message: `${name} on line ${line} of the Dockerfile may be another image tomorrow: write NAME@sha256:DIGEST, which \`agentclash image pull ${name}\` prints`,
    }));
}

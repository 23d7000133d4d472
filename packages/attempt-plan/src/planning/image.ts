import {
  type Asset,
  buildContext,
  type Case,
  type CaseSandbox,
  type Manifest,
  splitDockerfile,
} from '@agentclash/challengepack';
import type { ArtifactRef, PlannedImage } from '../plan.js';

type OwnImage = Pick<CaseSandbox, 'image' | 'dockerfile' | 'build_network_access' | 'run_as_root'>;

/** The image of a case: its own, its challenge's or the version's, whichever is nearest; undefined where none is named. */
export function plannedImage(
  manifest: Pick<Manifest, 'sandbox' | 'challenges' | 'version'>,
  each: Pick<Case, 'challenge_key' | 'sandbox' | 'assets'>,
  stored: (asset: Asset) => ArtifactRef,
): PlannedImage | undefined {
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  const holders = [each, challenge, { sandbox: manifest.sandbox, assets: manifest.version.assets }];
  const nearest = holders.findIndex((holder) => names(holder?.sandbox));
  const sandbox = holders[nearest]?.sandbox;
  if (sandbox === undefined) return undefined;
  const seen = holders.slice(nearest).flatMap((holder) => holder?.assets ?? []);
  return imageOf(sandbox, seen, stored);
}

function imageOf(
  { image, dockerfile, build_network_access, run_as_root = false }: OwnImage,
  seen: readonly Asset[],
  stored: (asset: Asset) => ArtifactRef,
): PlannedImage | undefined {
  if (image !== undefined) return { reference: image, run_as_root };
  const split = dockerfile === undefined ? undefined : splitDockerfile(dockerfile);
  if (split === undefined) return undefined;
  const files = [...buildContext(split.folder, seen)].map(([path, asset]) => ({
    path,
    artifact: stored(asset),
  }));
  const network = build_network_access === true ? { network_access: true as const } : {};
  return { build: { dockerfile: split.name, files, ...network }, run_as_root };
}

function names(sandbox: OwnImage | undefined): boolean {
  return sandbox?.image !== undefined || sandbox?.dockerfile !== undefined;
}

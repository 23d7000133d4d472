import type { Asset, Challenge, InputSet } from '../pack/model.js';

/** The lists of assets, which a pack and its manifest have in common. */
interface AssetHolder {
  version: { assets?: Asset[] };
  challenges: Challenge[];
  input_sets: InputSet[];
}

/** Every asset of a pack or manifest, in document order. */
export function assetsOf({ version, challenges, input_sets: sets }: AssetHolder): Asset[] {
  const holders = [version, ...challenges, ...sets.flatMap(({ cases }) => cases)];
  return holders.flatMap(({ assets = [] }) => assets);
}

/**
 * The pack or manifest with ids for the files that were stored for it, by path; assets that name an artifact keep
 * theirs.
 */
export function attachArtifacts<P extends AssetHolder>(
  pack: P,
  artifactIdOf: (path: string) => string | undefined,
): P {
  const attach = (asset: Asset): Asset => {
    const id = asset.artifact_id ?? artifactIdOf(asset.path);
    return id === undefined ? asset : { ...asset, artifact_id: id };
  };
  const attached = <T extends { assets?: Asset[] }>(holder: T): T =>
    holder.assets ? { ...holder, assets: holder.assets.map(attach) } : holder;
  return {
    ...pack,
    version: attached(pack.version),
    challenges: pack.challenges.map(attached),
    input_sets: pack.input_sets.map((set) => ({ ...set, cases: set.cases.map(attached) })),
  };
}

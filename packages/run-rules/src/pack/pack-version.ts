import type { ArtifactRef } from '@agentclash/attempt-plan';
import {
  type CaseSandbox,
  type EvaluationSpec,
  type Manifest,
  readEvaluationSpec,
} from '@agentclash/challengepack';

/** A published version as the orchestrator reads it, without its cases. It never changes. */
export interface PackVersionView {
  /** Its input sets are left out: cases are read by key. */
  manifest: Manifest;
  spec: EvaluationSpec;
  /** The images that cases name, each kind once, by the key of their input set. */
  caseImages: ReadonlyMap<string, readonly NamedImage[]>;
  /** The stored files that assets of the version and its challenges name, by artifact id. */
  artifacts: ReadonlyMap<string, ArtifactRef>;
}

/** An image as a pack names it: as far as executors differ. */
export type NamedImage = Pick<CaseSandbox, 'image' | 'dockerfile' | 'build_network_access' | 'run_as_root'>;

export function caseImages({ input_sets: sets }: Pick<Manifest, 'input_sets'>): Map<string, NamedImage[]> {
  return new Map(
    sets.map(({ key, cases = [] }) => {
      const kinds = new Map<string, NamedImage>();
      for (const { sandbox } of cases) {
        const { image, dockerfile, build_network_access, run_as_root } = sandbox ?? {};
        if (image === undefined && dockerfile === undefined) continue;
        const kind = [
          image === undefined,
          dockerfile === undefined,
          build_network_access,
          run_as_root,
        ].join();
        if (sandbox !== undefined && !kinds.has(kind)) kinds.set(kind, sandbox);
      }
      return [key, [...kinds.values()]];
    }),
  );
}

export function specOf(manifest: Manifest): EvaluationSpec {
  return readEvaluationSpec(manifest.evaluation_spec);
}

/** Ids of the stored files that the assets of the version and its challenges name. */
export function sharedArtifactIds({ version, challenges }: Manifest): string[] {
  const assets = [...(version.assets ?? []), ...challenges.flatMap((challenge) => challenge.assets ?? [])];
  return [...new Set(assets.flatMap(({ artifact_id }) => artifact_id ?? []))];
}

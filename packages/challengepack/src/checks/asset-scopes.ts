import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Asset } from '../pack/model.js';
import { eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

/** An asset that references can find. */
export interface DeclaredAsset {
  asset: Draft<Asset>;
  at: FieldPath;
  isUsed: boolean;
  /** Some agent may get it. */
  isGiven?: boolean;
  /** Where a solution names it first. */
  solutionAt?: FieldPath;
}

/** The asset that a key resolves to; `unclear` when an unreadable declaration might be the one that is meant. */
export type Resolution = DeclaredAsset | 'unclear' | 'unknown';

interface Scope {
  assets: Map<string, DeclaredAsset>;
  hasHoles: boolean;
}

/** The assets that the version, a challenge or a case declares. */
export type DeclaredScope = Readonly<Omit<Scope, 'assets'> & { assets: ReadonlyMap<string, DeclaredAsset> }>;

/** The assets of version, challenges and cases, and the way references find them: the nearest wins. */
export class AssetScopes {
  readonly #version: Scope;
  readonly #challenges = new Map<string, Scope>();
  readonly #cases = new Map<string, Scope>();
  readonly #all: Scope[] = [];

  constructor(check: PackCheck) {
    const { version, challenges } = check.paths;
    this.#version = this.#declare(check, check.pack.version?.assets, version.field('assets'));
    for (const [challenge, at] of eachEntry(check.pack.challenges, challenges)) {
      const scope = this.#declare(check, challenge.assets, at.field('assets'));
      const { key } = challenge;
      if (key !== undefined && !this.#challenges.has(key)) this.#challenges.set(key, scope);
    }
    for (const { case: each, at } of check.cases()) {
      this.#cases.set(at.toString(), this.#declare(check, each.assets, at.field('assets')));
    }
  }

  /** Every declared asset, the first of those with the same key in one list. */
  *declared(): Iterable<DeclaredAsset> {
    for (const { assets } of this.#all) yield* assets.values();
  }

  /** Resolves a key named by a case: its own assets, its challenge's, the version's. */
  resolveInCase(key: string, { case: each, at }: PlacedCase): Resolution {
    const challenge = each.challenge_key;
    const own = this.#cases.get(at.toString());
    if (challenge === undefined) return own?.assets.get(key) ?? 'unclear';
    return resolve(key, [own, this.#challenges.get(challenge), this.#version]);
  }

  /** Resolves a key named by a challenge: its own assets, the version's. */
  resolveInChallenge(key: string, challenge: string | undefined): Resolution {
    const own = challenge === undefined ? undefined : this.#challenges.get(challenge);
    return resolve(key, [own, this.#version]);
  }

  /** Resolves a key named by a part of the whole pack: the version's assets alone. */
  resolveInVersion(key: string): Resolution {
    return resolve(key, [this.#version]);
  }

  /** The scopes that the version sees, a challenge or a case, the nearest first. */
  seenBy({
    challenge,
    case: placed,
  }: {
    challenge?: string | undefined;
    case?: PlacedCase;
  }): DeclaredScope[] {
    const key = placed?.case.challenge_key ?? challenge;
    const own = placed && this.#cases.get(placed.at.toString());
    const ofChallenge = key === undefined ? undefined : this.#challenges.get(key);
    return [own, ofChallenge, this.#version].filter((scope) => scope !== undefined);
  }

  #declare(check: PackCheck, assets: (Draft<Asset> | undefined)[] | undefined, at: FieldPath): Scope {
    const scope: Scope = { assets: new Map(), hasHoles: check.hasHoles(assets, at) };
    for (const [asset, location] of eachEntry(assets, at)) {
      const { key } = asset;
      if (key === undefined) scope.hasHoles ||= check.isUndecodable(location.field('key'));
      else if (!scope.assets.has(key)) scope.assets.set(key, { asset, at: location, isUsed: false });
    }
    this.#all.push(scope);
    return scope;
  }
}

function resolve(key: string, scopes: readonly (Scope | undefined)[]): Resolution {
  for (const scope of scopes) {
    const found = scope?.assets.get(key);
    if (found) return found;
    if (scope?.hasHoles) return 'unclear';
  }
  return 'unknown';
}

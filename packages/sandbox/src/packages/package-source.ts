import { refusal } from './apt-errors.js';
import { InstalledPackages } from './installed-packages.js';
import { isDebian, type LayerOptions, PackageLayers } from './package-layers.js';
import { unlessAborted } from './shared-work.js';

/** Packages of images, by the root directory of each: those it has, and those it can be given. */
export class PackageSource {
  readonly #installed = new InstalledPackages();
  readonly #layers: PackageLayers | undefined;

  /** Without `layers` no package can be installed. */
  constructor(layers: LayerOptions | undefined) {
    if (layers !== undefined) this.#layers = new PackageLayers(layers);
  }

  installedIn(image: string): Promise<ReadonlySet<string>> {
    return this.#installed.of(image);
  }

  canInstallIn(image: string): boolean {
    return this.#layers !== undefined && isDebian(image);
  }

  /**
   * What is to be laid over the image so that it has these packages; undefined when it has them all. Making it may take
   * minutes the first time. Throws `unsupported` or `unavailable`.
   */
  async layerFor(
    image: string,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (names.length === 0) return undefined;
    const installed = await this.installedIn(image);
    const absent = names.filter((name) => !installed.has(name));
    if (absent.length === 0) return undefined;
    if (this.#layers === undefined || !isDebian(image)) {
      throw refusal(`the image lacks the packages ${absent.join(', ')}`);
    }
    return await unlessAborted(signal, this.#layers.of(image, absent));
  }

  lend(layer: string, until: Promise<unknown>): void {
    this.#layers?.lend(layer, until);
  }

  async keepInUse(): Promise<void> {
    await this.#layers?.keepLent();
  }

  close(): void {
    this.#layers?.close();
  }
}

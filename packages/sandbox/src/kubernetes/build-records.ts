import type { KubernetesApi } from './api.js';
import { RECORDS } from './build-job.js';
import type { KubernetesObject } from './objects.js';

/** Each has some 200 bytes of the MiB that a ConfigMap may have. */
const RECORDS_MAX = 2_000;
const RECORDS_DROPPED = 200;

type ConfigMap = KubernetesObject & { data?: Record<string, string> };

/** The images that were built, by the keys of builds: for all executors of the cluster. Only they write it, and no registry. */
export class BuildRecords {
  constructor(
    private readonly api: KubernetesApi,
    /** As nodes name it: what was built for another is not used. */
    private readonly repository: string,
  ) {}

  async exist(): Promise<boolean> {
    return (await this.api.find('configmaps', RECORDS)) !== undefined;
  }

  /** The reference by digest. */
  async find(key: string): Promise<string | undefined> {
    const reference = (await this.#all())[key];
    return reference?.startsWith(`${this.repository}@sha256:`) ? reference : undefined;
  }

  async keep(key: string, reference: string): Promise<void> {
    const keys = Object.keys(await this.#all());
    const dropped = keys.length < RECORDS_MAX ? [] : keys.slice(0, RECORDS_DROPPED);
    await this.#write({ ...Object.fromEntries(dropped.map((each) => [each, null])), [key]: reference });
  }

  forget(key: string): Promise<void> {
    return this.#write({ [key]: null });
  }

  async #all(): Promise<Record<string, string>> {
    return (await this.api.find<ConfigMap>('configmaps', RECORDS))?.data ?? {};
  }

  /** Values of other keys stay, also where others write them meanwhile. */
  #write(data: Record<string, string | null>): Promise<void> {
    return this.api.patch('configmaps', RECORDS, { data });
  }
}

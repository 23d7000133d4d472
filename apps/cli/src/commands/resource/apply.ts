import path from 'node:path';
import { type Client, routes } from '@agentclash/api';
import { withIds } from '../../deployment-file/body-of.js';
import type { Existing } from '../../deployment-file/plan.js';
import type { Entry } from '../../deployment-file/read.js';
import type { Written } from '../../resources/kind.js';
import type { KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { LocalContents } from './local-files.js';

/** What became of one entry of the file. */
export interface Applied extends Written {
  resource: KindName;
}

/** Makes entries in the order given; what was done before a failure stays done, and doing it again changes nothing. */
export class Applying {
  private readonly made = new Map<string, string>();
  private readonly uploads = new Map<string, Promise<string>>();

  constructor(
    private readonly client: Client,
    private readonly existing: Existing,
    private readonly contents: LocalContents,
  ) {}

  async apply({ kind, name, body, references }: Entry): Promise<Applied> {
    const ids: { bodyPath: Exclude<Entry['references'][number]['bodyPath'], undefined>; id: string }[] = [];
    for (const { to, name: named, bodyPath } of references) {
      if (bodyPath === undefined) continue;
      ids.push({ bodyPath, id: to === 'file' ? await this.upload(named) : this.idOf(to, named) });
    }
    const known = this.existing.get(kind, name);
    const written = await KINDS[kind].apply(this.client, withIds(body, ids), known);
    this.made.set(`${kind} ${name}`, written.id);
    return { resource: kind, ...written };
  }

  private idOf(kind: KindName, name: string): string {
    const id = this.made.get(`${kind} ${name}`) ?? this.existing.get(kind, name)?.id;
    if (id === undefined) throw new TypeError(`${kind} ${name} was neither made nor found`);
    return id;
  }

  /** Each file goes up once, however many entries bring it along. */
  private upload(from: string): Promise<string> {
    const uploading = this.uploads.get(from) ?? this.send(from);
    this.uploads.set(from, uploading);
    return uploading;
  }

  private async send(from: string): Promise<string> {
    const file = new Blob([this.contents.get(from) ?? new Uint8Array()]);
    const body = { file, name: path.basename(from) };
    return (await this.client.call(routes.artifacts.upload, { body })).id;
  }
}

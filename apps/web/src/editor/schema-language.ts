import type { LanguageSource } from './assistance.js';
import { WorkerClient } from './worker/worker-client.js';

/** The language service of a schema, in a worker that is started by its first use. */
export class SchemaLanguage implements LanguageSource {
  private readonly client = new WorkerClient();

  /** Without a schema: that of challenge packs. */
  constructor(private readonly schema?: object) {}

  async complete(text: string, offset: number) {
    return (await this.result('complete', text, offset)) ?? [];
  }

  async hover(text: string, offset: number) {
    return (await this.result('hover', text, offset)) ?? null;
  }

  close(): void {
    this.client.close();
  }

  private async result<Name extends 'complete' | 'hover'>(name: Name, text: string, offset: number) {
    const cursor = { text, offset, ...(this.schema && { schema: this.schema }) };
    // An editor without help is still an editor.
    return await this.client.call(name, cursor).catch(() => undefined);
  }
}

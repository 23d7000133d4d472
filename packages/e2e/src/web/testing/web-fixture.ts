import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient } from '@agentclash/api';
import type { Browser } from 'playwright-core';
import { Product, repository } from '../../product.js';
import { openChromium } from './chromium.js';
import { Visitor, type VisitorOptions } from './visitor.js';

interface Credentials {
  adminToken: string;
  operatorToken: string;
}

/** The product, a browser, and a client for what a test prepares and compares. */
export class WebFixture {
  private constructor(
    readonly product: Product,
    readonly browser: Browser,
    readonly token: string,
    readonly operatorToken: string,
    readonly client: Client,
  ) {}

  /** `settings` are variables of the services. */
  static async start(settings: Record<string, string> = {}): Promise<WebFixture> {
    const product = await Product.start(undefined, settings);
    const file = path.join(product.folder.data, 'credentials.json');
    const { adminToken: token, operatorToken } = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
    const client = createClient({ baseUrl: product.state.url, token });
    return new WebFixture(product, await openChromium(), token, operatorToken, client);
  }

  get url(): string {
    return this.product.state.url;
  }

  /** Somebody who is signed in as admin, unless told otherwise. */
  async visit(options: Partial<VisitorOptions> = {}): Promise<Visitor> {
    return await Visitor.arrive(this.browser, { url: this.url, token: this.token, ...options });
  }

  readonly repository = repository;

  /** The files of a folder of the repository, for a form to take. */
  filesBelow(folder: string): string[] {
    const absolute = path.join(repository, folder);
    const entries = readdirSync(absolute, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }

  /** A text of the examples. */
  example(name: string): string {
    return readFileSync(path.join(repository, 'examples', name), 'utf8');
  }

  /** Publishes a pack and makes the deployments for it, both given as text. */
  async prepare(pack: string, deployments: string): Promise<void> {
    await this.product.read('challenge-pack', 'publish', this.write('pack.yaml', pack));
    await this.deploy(deployments);
  }

  /** Makes deployments, given as text. */
  async deploy(deployments: string): Promise<void> {
    await this.product.read('deployment', 'create', '-f', this.write('deployments.yaml', deployments));
  }

  /** Races deployments on a pack; over when it answers, unless it is only to be started. */
  async race(words: readonly string[], { isFollowed = true } = {}): Promise<string> {
    const { id } = await this.product.read<{ id: string }>('eval', 'start', ...words);
    if (isFollowed) await this.product.run(['run', 'show', id, '--follow'], { timeoutMs: 120_000 });
    return id;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.product.stop();
    this.product.folder.remove();
  }

  private write(name: string, text: string): string {
    const file = path.join(this.product.folder.path, name);
    writeFileSync(file, text);
    return file;
  }
}

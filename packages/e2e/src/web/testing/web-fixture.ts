import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@agentclash/api';
import type { Browser } from 'playwright-core';
import { type Product, repository } from '../../product.js';
import { openChromium } from './chromium.js';
import { ownStack, sharedStack, type WebStack } from './shared-stack.js';
import { Visitor, type VisitorOptions } from './visitor.js';

/** The product, a workspace on it, a browser, and a client for what a test prepares and compares. */
export class WebFixture {
  readonly repository = repository;

  private constructor(
    private readonly stack: WebStack,
    readonly browser: Browser,
  ) {}

  /** A new workspace on the stack of this Jest worker; with variables of the services, a stack of its own. */
  static async start(settings?: Record<string, string>): Promise<WebFixture> {
    const stack = await (settings === undefined ? sharedStack() : ownStack(settings));
    return new WebFixture(stack, await openChromium());
  }

  get product(): Product {
    return this.stack.product;
  }

  get client(): Client {
    return this.stack.client;
  }

  /** Of the workspace's administrator. */
  get token(): string {
    return this.stack.token;
  }

  get operatorToken(): string {
    return this.stack.operatorToken;
  }

  get url(): string {
    return this.product.state.url;
  }

  /** A user at a page, by default the workspace's administrator. */
  async visit(options: Partial<VisitorOptions> = {}): Promise<Visitor> {
    return await Visitor.arrive(this.browser, { url: this.url, token: this.token, ...options });
  }

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

  /** Races deployments on a pack; resolves when the run has ended, or has started where it is not followed. */
  async race(words: readonly string[], { isFollowed = true } = {}): Promise<string> {
    const { id } = await this.product.read<{ id: string }>('eval', 'start', ...words);
    if (isFollowed) await this.product.run(['run', 'show', id, '--follow'], { timeoutMs: 120_000 });
    return id;
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.stack.close();
  }

  /** Writes a file beside the packs that are published; its path. */
  write(name: string, text: string): string {
    const file = path.join(this.stack.files, name);
    writeFileSync(file, text);
    return file;
  }
}

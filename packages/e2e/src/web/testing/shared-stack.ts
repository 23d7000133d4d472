import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Client, createClient, routes } from '@agentclash/api';
import { loadCredentials, openLayout } from '@agentclash/local-stack';
import { Product, StackFolder } from '../../product.js';

/** A stack and a workspace on it with its administrator. */
export interface WebStack {
  /** Its commands are the administrator's. */
  product: Product;
  token: string;
  operatorToken: string;
  client: Client;
  /** Takes the files of a test. */
  files: string;
  close: () => Promise<void>;
}

/** A stack of its own, with these variables of the services, and its default workspace. */
export async function ownStack(settings: Record<string, string>): Promise<WebStack> {
  const product = await Product.start(undefined, settings);
  const { adminToken: token, operatorToken } = await credentialsOf(product);
  const close = async () => {
    await product.stop();
    product.folder.remove();
  };
  const client = createClient({ baseUrl: product.state.url, token });
  return { product, token, operatorToken, client, files: product.folder.path, close };
}

/**
 * A new workspace on the stack that the files of this Jest worker share; the first one starts it, and the global
 * teardown ends it (jest/stop-stacks.mjs). Outside of Jest, or where none is shared, a stack of its own.
 */
export async function sharedStack(): Promise<WebStack> {
  const { AGENTCLASH_E2E_STACKS: folder, JEST_WORKER_ID: worker } = process.env;
  if (folder === undefined || worker === undefined) return await ownStack({});
  const product = await stackOf(path.join(folder, `worker-${worker}`));
  const { operatorToken } = await credentialsOf(product);
  const baseUrl = product.state.url;
  const slug = `web-${randomUUID().slice(0, 8)}`;
  const operator = createClient({ baseUrl, token: operatorToken, workspace: slug });
  await operator.call(routes.workspaces.create, { body: { slug } });
  const { token } = await operator.call(routes.tokens.create, { body: { name: slug, role: 'admin' } });
  const files = path.join(product.folder.path, slug);
  mkdirSync(files);
  return {
    product: product.with({
      AGENTCLASH_API_URL: baseUrl,
      AGENTCLASH_TOKEN: token,
      AGENTCLASH_WORKSPACE: slug,
    }),
    token,
    operatorToken,
    client: createClient({ baseUrl, token, workspace: slug }),
    files,
    close: async () => {},
  };
}

/** The stack in this folder; started where none runs. */
async function stackOf(folder: string): Promise<Product> {
  mkdirSync(folder, { recursive: true });
  const stackFolder = new StackFolder(folder);
  return (await Product.running(stackFolder)) ?? (await Product.start(stackFolder));
}

async function credentialsOf({ folder }: Product) {
  return await loadCredentials(await openLayout(folder.data), false);
}

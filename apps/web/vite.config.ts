import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Route, routes } from '@agentclash/api';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

const PACKED_BYTES_MIN = 1_024;

/**
 * Puts packed files beside the plain ones, for the gateway to send as they are; last of all, when nothing changes
 * them any more.
 */
function packFiles(): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle)) {
        const file = path.join(dir, name);
        const bytes = readFileSync(file);
        if (bytes.length < PACKED_BYTES_MIN || name.endsWith('.woff2')) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * A page needs of a route only how it is called. The schemas, by which servers judge, would be half of what it has to
 * load and to run before it shows anything.
 */
function callableRoutes(): Plugin {
  const callable = ({ method, path, access, status, body, response }: Route) => ({
    ...{ method, path, access, status },
    ...(body !== undefined && { body: typeof body === 'string' ? body : {} }),
    response: typeof response === 'string' ? response : {},
  });
  return {
    name: 'callable-routes',
    apply: 'build',
    load(file) {
      if (!file.endsWith('/packages/api/src/routes/routes.ts')) return null;
      const groups = Object.entries(routes).map(([name, group]) => [
        name,
        Object.fromEntries(Object.entries<Route>(group).map(([key, route]) => [key, callable(route)])),
      ]);
      return `export const routes = ${JSON.stringify(Object.fromEntries(groups))};`;
    },
  };
}

/** Lets a browser fetch what the page begins with together with the page, not one after the other. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_page, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/start.tsx'));
        if (start === undefined) throw new Error('the page has no start');
        return [start.fileName, ...start.imports].map((name) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        }));
      },
    },
  };
}

/** `pnpm --filter @agentclash/web dev` serves the sources and sends API calls to the stack at AGENTCLASH_API_URL. */
export default defineConfig(({ mode }) => {
  const { AGENTCLASH_API_URL: api = 'http://127.0.0.1:3000' } = loadEnv(
    mode,
    import.meta.dirname,
    'AGENTCLASH_',
  );
  return {
    plugins: [react(), callableRoutes(), preloadStart(), packFiles()],
    resolve: {
      // yaml-language-server joins paths of files as Node does.
      alias: { path: createRequire(import.meta.url).resolve('path-browserify') },
      conditions: ['agentclash-source', 'module', 'browser', 'development|production'],
    },
    worker: {
      format: 'es',
      // In a folder of their own: the gateway gives them a policy of their own.
      rolldownOptions: { output: { entryFileNames: 'workers/[name]-[hash].js' } },
    },
    build: {
      target: ['chrome125', 'firefox128', 'safari18'],
      // Nothing may be inlined: the page's policy allows no `data:` but for images.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // A browser may keep the failure of a module that was fetched ahead, so that no later import could succeed.
        resolveDependencies: (_file, dependencies, { hostType }) =>
          hostType === 'js' ? dependencies.filter((name) => name.endsWith('.css')) : dependencies,
      },
      // Modules that nearly every screen uses come with the first, instead of in twenty small files.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [{ name: 'shared', test: /\/apps\/web\/src\/(?:data|design|navigation)\// }],
          },
        },
      },
    },
    server: { proxy: { '/v1': api, '/healthz': api, '/readyz': api } },
  };
});

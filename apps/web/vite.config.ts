import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

const PACKED_BYTES_MIN = 1_024;

/** Puts packed files beside the plain ones, for the gateway to send as they are; last of all, when nothing changes them any more. */
function packFiles(): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle)) {
        const file = path.join(dir, name);
        const bytes = readFileSync(file);
        if (bytes.length < PACKED_BYTES_MIN) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
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
    plugins: [react(), packFiles()],
    resolve: { conditions: ['agentclash-source', 'module', 'browser', 'development|production'] },
    worker: {
      format: 'es',
      // In a folder of their own: the gateway gives them a policy of their own.
      rolldownOptions: { output: { entryFileNames: 'workers/[name]-[hash].js' } },
    },
    build: {
      target: ['chrome125', 'firefox128', 'safari18'],
      // Nothing may be inlined: the page's policy allows no `data:` but for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    server: { proxy: { '/v1': api, '/healthz': api, '/readyz': api } },
  };
});

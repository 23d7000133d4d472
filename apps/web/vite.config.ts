import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

const PACKED_BYTES_MIN = 1_024;

/** Puts the packed files beside the plain ones, for the gateway to send as they are. */
function packFiles(): Plugin {
  return {
    name: 'pack-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (bytes.length < PACKED_BYTES_MIN) continue;
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(bytes) });
        this.emitFile({
          type: 'asset',
          fileName: `${file.fileName}.gz`,
          source: gzipSync(bytes, { level: 9 }),
        });
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

import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

/** `pnpm --filter @agentclash/web dev` serves the sources and sends API calls to the stack at AGENTCLASH_API_URL. */
export default defineConfig(({ mode }) => {
  const { AGENTCLASH_API_URL: api = 'http://127.0.0.1:3000' } = loadEnv(
    mode,
    import.meta.dirname,
    'AGENTCLASH_',
  );
  return {
    plugins: [react()],
    resolve: { conditions: ['agentclash-source', 'module', 'browser', 'development|production'] },
    worker: { format: 'es' },
    // Nothing may be inlined: the page's policy allows no `data:` but for images.
    build: {
      target: ['chrome125', 'firefox128', 'safari18'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
    server: { proxy: { '/v1': api, '/healthz': api, '/readyz': api } },
  };
});

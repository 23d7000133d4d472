import './design/tokens.css';
import './design/base.css';
import './design/fonts.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { createQueryClient } from './data/query-client.js';
import { applyTheme, storedTheme } from './design/theme.js';
import { findScreen } from './screens.js';

applyTheme(storedTheme());
// In parallel with the session check. A failed load is reported when the screen is shown.
findScreen(location.pathname)
  ?.load()
  .catch(() => undefined);
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
const queries = createQueryClient();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

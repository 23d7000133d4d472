import { routes, type Whoami } from '@agentclash/api';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { App } from '../app.js';
import { createQueryClient } from '../data/query-client.js';
import { FakeServer } from './fake-server.js';
import { WORKSPACE } from './fixtures.js';

/** For machines under load: nothing waits so long that works. */
configure({ asyncUtilTimeout: 10_000 });

const TOKEN = 'ac_component-tests';

let queries: QueryClient | undefined;

/** The server of the current test: a new one for each, without violations at the end. */
export let server: FakeServer;

/** React does not know this element in the document of the tests, though every browser of the build targets has it. */
const KNOWN_ERROR = /<(?:%s|search)> is unrecognized in this browser/;

beforeEach(() => {
  server = new FakeServer();
  globalThis.fetch = server.fetch;
  console.error = (...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (!KNOWN_ERROR.test(text)) server.violations.push(`console.error: ${text}`);
  };
});

afterEach(() => {
  cleanup();
  queries?.clear();
  queries = undefined;
  localStorage.clear();
  sessionStorage.clear();
  expect(server.violations).toEqual([]);
});

interface Visit {
  role?: Whoami['role'];
  /** Signed out where it is null. */
  token?: string | null;
}

/** Opens the whole app at an address: its router, its session and its query client, of which only the pauses are shorter. */
export function openApp(address: string, { role = 'admin', token = TOKEN }: Visit = {}): UserEvent {
  if (token !== null) localStorage.setItem('agentclash.token', token);
  serveSession(role);
  history.replaceState(null, '', address);
  queries = createQueryClient();
  const { queries: reading, mutations } = queries.getDefaultOptions();
  // Without timers that outlive the test.
  const gcTime = Number.POSITIVE_INFINITY;
  queries.setDefaultOptions({
    queries: { ...reading, gcTime, retryDelay: 1 },
    mutations: { ...mutations, gcTime },
  });
  render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
  return userEvent.setup({ delay: null });
}

function serveSession(role: Whoami['role']): void {
  if (server.served.some(({ route }) => route === routes.workspaces.whoami)) return;
  server.on(routes.workspaces.whoami, {
    workspace: role === 'operator' ? null : WORKSPACE,
    role,
    token: { id: role === 'operator' ? null : WORKSPACE.id, name: 'laptop', expires_at: null },
  });
}

/** The heading of the screen, once it is shown. */
export async function heading(name: string | RegExp): Promise<HTMLElement> {
  const found = await screen.findByRole('heading', { level: 1, name });
  await listening();
  return found;
}

/** Waits for the position among the steps of a screen, such as `2 of 3`, and for the keys that step. */
export async function stepsAt(position: string): Promise<void> {
  await screen.findByText(position);
  await listening();
}

/** Listeners of keys are attached in effects, which may run after a screen is there. */
async function listening(): Promise<void> {
  await act(async () => {});
}

/** A control of a form by its label. */
export function field(label: string | RegExp): HTMLInputElement {
  return screen.getByLabelText<HTMLInputElement>(label);
}

export function button(name: string | RegExp): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>('button', { name });
}

/** The button once it can be pressed: those of a form that still loads are disabled. */
export async function enabledButton(name: string | RegExp): Promise<HTMLButtonElement> {
  await waitFor(() => expect(button(name).disabled).toBe(false));
  return button(name);
}

/** Two presses before the page is rendered again, when the button does not look busy yet. */
export function pressTwice(name: string | RegExp): void {
  const pressed = button(name);
  act(() => {
    pressed.click();
    pressed.click();
  });
}

import { homedir } from 'node:os';
import path from 'node:path';

/** The environment this command looks at; the only place that reads it. */
export const environment = {
  apiUrl: process.env.AGENTCLASH_API_URL || undefined,
  token: process.env.AGENTCLASH_TOKEN || undefined,
  workspace: process.env.AGENTCLASH_WORKSPACE || undefined,
  /** The bearer token of `mcp --http`, for clients whose settings are kept; absent: a new one. */
  mcpToken: process.env.AGENTCLASH_MCP_TOKEN || undefined,
  configFolder: path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'agentclash'),
  isCi: Boolean(process.env.CI) && process.env.CI !== 'false' && process.env.CI !== '0',
  /** True when a browser can show up here. */
  hasDisplay:
    process.platform === 'darwin' ||
    process.platform === 'win32' ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY),
  /** The built web app. */
  webFolder: path.resolve(import.meta.dirname, '../../web/dist'),
  /** The file that starts this command. */
  program: path.resolve(import.meta.dirname, '../bin/agentclash.js'),
  /** Folders that may have `examples`: that of an installation, that of the repository. */
  homes: ['..', '../../..'].map((folder) => path.resolve(import.meta.dirname, folder)),
  /** Operator settings that `up` hands to the services: which sandboxes there will be. */
  operator: process.env,
  /** https://no-color.org, and terminals that can do nothing. */
  isColorless: Boolean(process.env.NO_COLOR) || process.env.TERM === 'dumb',
};

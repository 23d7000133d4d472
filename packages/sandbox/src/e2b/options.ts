export interface E2bOptions {
  apiKey: string;
  /** Registered templates of the account: name to id. Each fixes CPU, memory and disk of its sandboxes. */
  templates?: Readonly<Record<string, string>> | undefined;
  /** Default: `base`. */
  defaultTemplate?: string | undefined;
  /** The static program of the process inside, for the machines of the service (x64). */
  insideTool: string;
  /** Who owns the sandboxes of this process: stable over its restarts, unique among live ones. */
  owner: string;
  /** Default: `https://api.e2b.app`. */
  apiUrl?: string | undefined;
  /** Address of the daemon of a sandbox. Default: port 49983 of the sandbox's own name. */
  sandboxUrl?: (id: string, domain: string) => string;
  reapEveryMs?: number;
  /** How often a template that is being built is looked at. Default 2 s. */
  lookEveryMs?: number;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}

import { type Client } from '@agentclash/api';
import { type ExitCode } from '@agentclash/domain';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';
import { Output, type TableFormat } from '../terminal/output.js';
import { resolveSettings, type Setting, type Settings, settingsFiles } from './settings.js';

/**
 * The function of a command, called with its arguments and options. Resolves to the exit code of the process, where
 * that is not 0.
 */
export type CommandRun<Input> = (session: Session, input: Input) => Promise<ExitCode | undefined>;

/** The options that every command takes. */
export interface GlobalOptions {
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
  workspace?: string;
  apiUrl?: string;
  token?: string;
  nonInteractive?: boolean;
  /** `-o` of a command that prints a table. */
  tableFormat?: TableFormat;
}

/** The context of a command: its output, its client, and a flag for whether a person can reply. */
export class Session {
  readonly out: Output;
  private resolved: Promise<Settings> | undefined;

  readonly options: GlobalOptions;

  constructor({ tableFormat: format, json: isJson = false, ...options }: GlobalOptions) {
    if (isJson && (format === 'wide' || format === 'csv')) {
      throw new CommandError('usage', `--json and -o ${format} contradict each other`, {
        hint: '--json is -o json: give one of them.',
      });
    }
    const json = isJson || format === 'json';
    this.options = { ...options, json };
    this.out = new Output(process.stdout, process.stderr, {
      json,
      quiet: options.quiet ?? false,
      color: (options.color ?? true) && !environment.isColorless && Boolean(process.stdout.isTTY),
      format,
    });
  }

  /** True when a person sits at both ends and may be prompted. */
  get canPrompt(): boolean {
    const { json, nonInteractive } = this.options;
    return (
      !json &&
      !nonInteractive &&
      !environment.isCi &&
      Boolean(process.stdin.isTTY) &&
      Boolean(process.stderr.isTTY)
    );
  }

  settings(): Promise<Settings> {
    this.resolved ??= this.readSettings();
    return this.resolved;
  }

  /** The client of the configured server, with its token. */
  async client(): Promise<Client> {
    const { apiUrl, token } = await this.settings();
    return await this.clientWith(apiUrl, token);
  }

  /** The client for what the operator may: with the operator's token where one is known, else the token at hand. */
  async operatorClient(): Promise<Client> {
    const { apiUrl, token, operatorToken } = await this.settings();
    const isGiven = token?.origin === 'options' || token?.origin === 'environment';
    return await this.clientWith(apiUrl, isGiven ? token : (operatorToken ?? token));
  }

  /** The client for tokens, which the operator keeps in every workspace and a token only in its own. */
  async tokensClient(): Promise<Client> {
    const { token, workspace } = await this.settings();
    return workspace?.origin === token?.origin ? await this.client() : await this.operatorClient();
  }

  private async clientWith(apiUrl: Setting | undefined, token: Setting | undefined): Promise<Client> {
    const [{ createClient }, { workspace }] = await Promise.all([import('@agentclash/api'), this.settings()]);
    if (apiUrl === undefined) {
      throw new CommandError('unavailable', 'No server is configured', {
        hint: 'agentclash up starts one here; --api-url or AGENTCLASH_API_URL name another.',
      });
    }
    if (!URL.canParse(apiUrl.value) || !/^https?:/i.test(apiUrl.value)) {
      throw new CommandError('usage', `"${apiUrl.value}" (${apiUrl.origin}) is not an HTTP address`);
    }
    const { withheldToken } = await this.settings();
    if (token === undefined && withheldToken !== undefined) {
      const where = `${apiUrl.value}, which only ${apiUrl.origin} names`;
      throw new CommandError('unauthorized', `The token (${withheldToken.origin}) is not sent to ${where}`, {
        hint: `A token is sent to a server that you name yourself. If you trust this one: export AGENTCLASH_API_URL=${apiUrl.value}`,
      });
    }
    if (token === undefined) {
      throw new CommandError('unauthorized', `There is no token for ${apiUrl.value}`, {
        hint: 'Set AGENTCLASH_TOKEN, or put api_url and token into a settings file.',
      });
    }
    return createClient({
      baseUrl: apiUrl.value,
      token: token.value,
      ...(workspace !== undefined && { workspace: workspace.value }),
    });
  }

  private async readSettings(): Promise<Settings> {
    const { apiUrl, token, workspace } = this.options;
    return resolveSettings([
      { origin: 'options', api_url: apiUrl, token, workspace },
      {
        origin: 'environment',
        api_url: environment.apiUrl,
        token: environment.token,
        workspace: environment.workspace,
      },
      ...(await settingsFiles(process.cwd())),
    ]);
  }
}

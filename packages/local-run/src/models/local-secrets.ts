import { secretsProblem } from '@agentclash/attempt-plan';
import { readCredentialReference } from '@agentclash/domain';
import { SecretNotSet, type SecretResolver } from '@agentclash/engine';
import { Secret } from '@agentclash/redaction';
import { type AdmissionProblem, type SecretNeeds } from '@agentclash/run-rules';

/** Where the values of secrets come from. */
export interface SecretValues {
  /** A secret that the user named for this run; undefined where there is none. */
  given: (key: string) => string | undefined;
  /** A variable of the environment, for the credentials of accounts and endpoints alone. */
  variable: (name: string) => string | undefined;
}

/** The key of the secret that a credential names; undefined where it names a variable. */
export function secretKeyOf(reference: string): string | undefined {
  const read = readCredentialReference(reference, { env: 'allow' });
  return 'reference' in read && read.reference.kind === 'secret' ? read.reference.key : undefined;
}

/**
 * The secrets of one run. A credential of an account may come from the environment by its name, since the user wrote its
 * file for this; what a pack or a tool refers to has to be given, so that no pack reads the environment.
 */
export class LocalSecrets {
  /** Keys that credentials name. */
  private readonly credentials: ReadonlySet<string>;

  constructor(
    private readonly values: SecretValues,
    credentialReferences: readonly string[],
  ) {
    this.credentials = new Set(credentialReferences.flatMap((each) => secretKeyOf(each) ?? []));
  }

  /** The problem of the secrets that a run needs. */
  problem({ everyone, agents, judges }: SecretNeeds): AdmissionProblem | undefined {
    const needed = [...everyone, ...agents.flat(), ...judges];
    const problem = secretsProblem(needed, (key) => {
      const value = this.valueOf(key);
      return value === undefined ? undefined : Buffer.byteLength(value);
    });
    if (problem === undefined) return undefined;
    const keys = problem.keys.join(', ');
    const message =
      problem.code === 'missing_secret'
        ? `The run needs secrets that are not given: ${keys}. Put each into an environment variable of its name and give --secret NAME.`
        : `Secrets of the run are too short to be redacted, at least 4 bytes: ${keys}.`;
    return { code: problem.code, message };
  }

  /** Opens the keys that an agent's attempts may open. */
  resolver(allowed: readonly string[]): SecretResolver {
    const permitted = new Set(allowed);
    return {
      resolve: async (keys) =>
        keys.map((key) => {
          const value = permitted.has(key) ? this.valueOf(key) : undefined;
          if (value === undefined) throw new SecretNotSet(`the secret ${key} is not set`);
          return new Secret(key, value);
        }),
    };
  }

  /** The credential of a judge's account; an empty one where it is not set, which its provider refuses. */
  readonly credential = async (reference: string): Promise<Secret> => {
    const read = readCredentialReference(reference, { env: 'allow' });
    if ('problem' in read) return new Secret('', '');
    const { reference: found } = read;
    return found.kind === 'secret'
      ? new Secret(found.key, this.valueOf(found.key) ?? '')
      : new Secret(found.name, this.values.variable(found.name) ?? '');
  };

  readonly readVariable = (name: string): string | undefined => this.values.variable(name);

  private valueOf(key: string): string | undefined {
    const given = this.values.given(key);
    if (given !== undefined) return given;
    return this.credentials.has(key) ? this.values.variable(key) || undefined : undefined;
  }
}

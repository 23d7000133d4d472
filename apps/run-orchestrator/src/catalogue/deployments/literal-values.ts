import {
  argumentProblems,
  type LiteralProblem,
  secretReferences,
  variableProblems,
} from '@agentclash/challengepack';
import type { FieldProblem } from '@agentclash/contracts';
import { checkHttpRequest, EgressError } from '@agentclash/egress';

type Literals = Readonly<Record<string, string>>;

/** Headers of an endpoint that no request can carry, or that hold what looks like a secret but is sent unchanged. */
export function headerProblems(
  headers: Literals,
  { hasCredential }: { hasCredential: boolean },
): FieldProblem[] {
  const field = 'config.headers';
  const authorization = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  const message = 'must not hold Authorization beside a credential_reference';
  return [
    ...unsendable(headers, field),
    ...(hasCredential && authorization !== undefined ? [{ code: 'contradiction', field, message }] : []),
    ...secretReferences(headers, 'is sent unchanged: name the secret in credential_reference').map(
      (problem) => atField(problem, field),
    ),
  ];
}

/** Variables of a program that override ours, are too large, or hold what looks like a secret but is set unchanged. */
export function environmentProblems(env: Literals, field = 'config.env'): FieldProblem[] {
  return variableProblems(env).map((problem) => atField(problem, field));
}

/** Arguments of a command that no program can be started with. */
export function commandProblems(command: readonly string[], field = 'config.command'): FieldProblem[] {
  return argumentProblems(command).map((problem) => atField(problem, field));
}

export function atField({ code, name, message }: LiteralProblem, field: string): FieldProblem {
  return { code, field: name === undefined ? field : `${field}.${name}`, message };
}

export function unsendable(headers: Literals, field: string): FieldProblem[] {
  try {
    checkHttpRequest({ method: 'POST', headers }, 'operator');
    return [];
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const { code, header, message } = error;
    const location = header === undefined ? field : `${field}.${header}`;
    return [{ code, field: location, message: message.slice(`${code}: `.length) }];
  }
}

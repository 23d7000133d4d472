import { ContractError, type FieldProblem, type Message } from '@agentclash/contracts';
import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

/** A message that does not match its contract. Its subject is for the log only: the reply does not name it. */
export class InvalidMessageError extends ContractError {
  constructor(
    readonly subject: string,
    errors: FieldProblem[],
  ) {
    super('invalid_input', 'The request is not valid.', { errors });
  }
}

/** Parses a received message by its contract. Throws as `parseMessage` does. */
export class MessagePipe implements PipeTransform {
  constructor(private readonly message: Message) {}

  transform(value: unknown): unknown {
    return parseMessage(this.message, value);
  }
}

/** Throws `InvalidMessageError` (`invalid_input`) with every problem and its field. */
export function parseMessage(message: Message, value: unknown): unknown {
  const parsed = message.input.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidMessageError(message.subject, fieldProblems(parsed.error));
}

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    code: issue.code,
    field: issue.path.map(String).join('.'),
    message: issue.message,
  }));
}

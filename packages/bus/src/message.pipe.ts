import { ContractError, type FieldProblem, type Message } from '@agentclash/contracts';
import { Logger, type PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

const logger = new Logger('bus');

/** Reads what comes by its contract. Fails as `readMessage` does. */
export class MessagePipe implements PipeTransform {
  constructor(private readonly message: Message) {}

  transform(value: unknown): unknown {
    return readMessage(this.message, value);
  }
}

/** What does not fit is `invalid_input` with every fault and its place; which message it was, only our log knows. */
export function readMessage(message: Message, value: unknown): unknown {
  const parsed = message.input.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = fieldProblems(parsed.error);
  logger.warn({ msg: 'message refused', subject: message.subject, errors });
  throw new ContractError('invalid_input', 'The request is not valid.', { errors });
}

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    code: issue.code,
    field: issue.path.map(String).join('.'),
    message: issue.message,
  }));
}

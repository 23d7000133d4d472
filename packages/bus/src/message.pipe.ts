import { ContractError, type FieldProblem, type Message } from '@agentclash/contracts';
import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

/** Reads a message by its contract; what does not fit is `invalid_input` with every fault and its place. */
export class MessagePipe implements PipeTransform {
  constructor(private readonly message: Message) {}

  transform(value: unknown): unknown {
    const parsed = this.message.input.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new ContractError('invalid_input', `The message ${this.message.subject} is not valid.`, {
      errors: fieldProblems(parsed.error),
    });
  }
}

export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({
    code: issue.code,
    field: issue.path.map(String).join('.'),
    message: issue.message,
  }));
}

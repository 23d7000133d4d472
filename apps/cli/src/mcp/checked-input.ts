import type { z } from 'zod';

/** The same schema, whose errors end with the next step as all of this server do. */
export function checkedInput<Input extends z.ZodObject>(tool: string, schema: Input) {
  const standard = schema['~standard'];
  const names = Object.keys(schema.shape).join(', ');
  const next = `\nNext: call ${tool} again with arguments of its schema: ${names}`;
  return {
    '~standard': {
      ...standard,
      validate: async (value: unknown) => {
        const result = await standard.validate(value);
        if (result.issues === undefined) return result;
        const [first, ...others] = [...result.issues].reverse();
        const last = { ...first, message: `${first?.message}${next}` };
        return { issues: [...others.reverse(), last] };
      },
    },
  } as { '~standard': typeof standard };
}

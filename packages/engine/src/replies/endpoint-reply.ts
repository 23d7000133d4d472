import { z } from 'zod';
import { untrustedJson } from './json.js';

const Tokens = z.number().int().min(0).optional().catch(undefined);
const EndpointReply = z.object({
  output: z.string(),
  usage: z.object({ input_tokens: Tokens, output_tokens: Tokens }).optional().catch(undefined),
});
export type EndpointReply = z.infer<typeof EndpointReply>;

/** Reads the reply of an endpoint of the agentclash protocol; undefined when it is none. Pure. */
export function readEndpointReply(bytes: Uint8Array): EndpointReply | undefined {
  return EndpointReply.safeParse(untrustedJson(bytes)).data;
}

import { HEADER_NAME, HEADER_VALUE, HEADER_VALUE_LENGTH_MAX } from '@agentclash/domain';
import { z } from 'zod';

export const HeaderName = z.string().regex(HEADER_NAME, 'is not a valid header name');
export const HeaderValue = z
  .string()
  .max(HEADER_VALUE_LENGTH_MAX)
  .regex(HEADER_VALUE, 'must hold visible characters of Latin-1 only');

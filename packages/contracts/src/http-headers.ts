import { z } from 'zod';

export const HeaderName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'is not a valid header name');
export const HeaderValue = z
  .string()
  .max(8_192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must hold visible characters of Latin-1 only');

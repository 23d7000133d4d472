/** Media types of a challenge pack that is the whole body; JSON is YAML too. */
export const PACK_MEDIA_TYPES = [
  'application/yaml',
  'application/x-yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
  'application/json',
] as const;

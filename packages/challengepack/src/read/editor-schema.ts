import type { JsonObject } from '../json.js';
import { PACK } from '../shapes/pack.js';

/**
 * The JSON Schema (2020-12) of the authored document, from the same declarations that read it. A writing aid: it
 * proves nothing about references, modes or templates.
 */
export function editorSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'AgentClash challenge pack',
    ...PACK.schema,
    type: 'object',
  };
}

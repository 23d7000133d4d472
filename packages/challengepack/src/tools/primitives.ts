import type { ToolKind } from '../pack/model.js';

/** Every primitive and its kind; `submit` has none, is always there and can be neither denied nor delegated to. */
export const PRIMITIVES = {
  submit: null,
  read_file: 'file',
  write_file: 'file',
  list_files: 'file',
  search_files: 'file',
  search_text: 'file',
  query_json: 'data',
  query_sql: 'data',
  http_request: 'network',
  run_tests: 'build',
  build: 'build',
  exec: 'shell',
} as const satisfies Record<string, ToolKind | null>;
export type PrimitiveName = keyof typeof PRIMITIVES;

export const PRIMITIVE_NAMES = Object.keys(PRIMITIVES) as PrimitiveName[];

export function isPrimitiveName(name: string): name is PrimitiveName {
  return Object.hasOwn(PRIMITIVES, name);
}

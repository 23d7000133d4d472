import type { ToolKind, ToolPolicy } from '../pack/model.js';
import { PRIMITIVE_NAMES, PRIMITIVES, type PrimitiveName } from './primitives.js';

/** The parts of a pack that decide which primitives it admits. */
export interface PackPolicy {
  tool_policy?: ToolPolicy;
  sandbox?: { network_access?: boolean };
}

/** The kinds of primitives that a pack admits. */
export function admittedKinds({ tool_policy: policy = {}, sandbox }: PackPolicy): Set<ToolKind> {
  const listed = (policy.allowed_tool_kinds ?? []).map((kind) => kind.trim().toLowerCase());
  const isListed = (kind: ToolKind) => (listed.length === 0 ? kind !== 'shell' : listed.includes(kind));
  const conditions: Partial<Record<ToolKind, boolean>> = {
    shell: policy.allow_shell ?? isListed('shell'),
    network: isListed('network') && sandbox?.network_access === true && policy.allow_network !== false,
  };
  const kinds = new Set(Object.values(PRIMITIVES).filter((kind) => kind !== null));
  return new Set([...kinds].filter((kind) => conditions[kind] ?? isListed(kind)));
}

/** The primitives that a pack admits, `submit` left out: it has no kind and is always there. */
export function admittedPrimitives(pack: PackPolicy): Set<PrimitiveName> {
  return primitivesOf(admittedKinds(pack));
}

export function primitivesOf(kinds: ReadonlySet<ToolKind>): Set<PrimitiveName> {
  return new Set(
    PRIMITIVE_NAMES.filter((name) => {
      const kind = PRIMITIVES[name];
      return kind !== null && kinds.has(kind);
    }),
  );
}

/** The built-in tools that an agent may be given, sorted: what the pack admits, cut to `allowed`, minus `denied`. */
export function builtinTools(
  pack: PackPolicy & { tools?: { allowed?: string[]; denied?: string[] } },
): PrimitiveName[] {
  const { allowed = [], denied = [] } = pack.tools ?? {};
  const shown = [...admittedPrimitives(pack)].filter(
    (name) => (allowed.length === 0 || allowed.includes(name)) && !denied.includes(name),
  );
  return [...shown, 'submit' as const].sort();
}

import { ofKind } from '../manifests/kinds.js';
import type { Container, EnvVar, Manifest } from '../manifests/manifest.js';

/** The environment of a container, and the secrets that it refers to and that are created elsewhere. */
export interface ResolvedEnvironment {
  values: Record<string, string>;
  /** Each reference to a secret that the manifests do not contain. */
  elsewhere: SecretReference[];
}

interface SecretReference {
  variable: string;
  secret: string;
  key: string;
  isOptional: boolean;
}

/** The environment that a container would start with; fields of its pod appear as `<path>`. */
export function environmentOf(manifests: readonly Manifest[], container: Container): ResolvedEnvironment {
  const values: Record<string, string> = {};
  const elsewhere: SecretReference[] = [];
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) Object.assign(values, dataOf(manifests, 'ConfigMap', configMapRef.name));
    if (secretRef) Object.assign(values, dataOf(manifests, 'Secret', secretRef.name));
  }
  for (const variable of container.env ?? []) {
    const value = variableValue(manifests, variable);
    if (value !== undefined) values[variable.name] = value;
    else if (variable.valueFrom?.secretKeyRef) {
      const { name: secret, key, optional: isOptional = false } = variable.valueFrom.secretKeyRef;
      elsewhere.push({ variable: variable.name, secret, key, isOptional });
    }
  }
  return { values, elsewhere };
}

/** The text of each key of a config map or a secret; empty if the manifests do not contain it. */
export function dataOf(
  manifests: readonly Manifest[],
  kind: 'ConfigMap' | 'Secret',
  name: string,
): Record<string, string> {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);
  const data = found?.data ?? {};
  if (kind === 'ConfigMap') return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

function variableValue(manifests: readonly Manifest[], { value, valueFrom }: EnvVar): string | undefined {
  if (valueFrom === undefined) return value ?? '';
  if (valueFrom.fieldRef) return `<${valueFrom.fieldRef.fieldPath}>`;
  if (valueFrom.configMapKeyRef) {
    const { name, key } = valueFrom.configMapKeyRef;
    return dataOf(manifests, 'ConfigMap', name)[key];
  }
  if (valueFrom.secretKeyRef) {
    const { name, key } = valueFrom.secretKeyRef;
    return dataOf(manifests, 'Secret', name)[key];
  }
  return undefined;
}

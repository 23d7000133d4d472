import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { repository } from '../repository.js';
import type { Manifest } from './manifest.js';

const K8S = path.join(repository, 'infra/k8s');
const BYTES_MAX = 32 << 20;

export const OVERLAYS = ['dev', 'prod-core', 'prod'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** The manifests that `kubectl apply -k infra/k8s/overlays/<name>` would send. Throws with the output of kubectl. */
export function renderOverlay(overlay: Overlay): Manifest[] {
  return renderAt(path.join(K8S, 'overlays', overlay));
}

/** The same with further components of `infra/k8s/components`, as a custom overlay would add them. */
export function renderWith(overlay: Overlay, components: readonly string[]): Manifest[] {
  return renderKustomization({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [`../overlays/${overlay}`],
    components: components.map((component) => `../components/${component}`),
  });
}

/** The example overlay of docs/kubernetes.md, based on the overlay prod of this repository. */
export function renderGuide(): Manifest[] {
  return renderKustomization({ ...parse(exampleOf('kustomization.yaml')), resources: ['../overlays/prod'] });
}

/** An overlay with the component of agent packages, and the volumes that docs/kubernetes.md shows for it. */
export function renderAgentPackages(overlay: Overlay): Manifest[] {
  const volumes = 'agent-packages.yaml';
  return renderKustomization(
    {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [`../overlays/${overlay}`, volumes],
      components: ['../components/agent-packages'],
    },
    { [volumes]: exampleOf(volumes) },
  );
}

/** An overlay with the component of builds, and the settings that docs/kubernetes.md shows for it. */
export function renderImageBuilds(overlay: Overlay): Manifest[] {
  return renderKustomization({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    ...parse(exampleOf('image-builds.yaml: in your kustomization.yaml')),
    resources: [`../overlays/${overlay}`],
    components: ['../components/image-builds'],
  });
}

/** The example of docs/kubernetes.md that begins with the name of its file. Throws where there is none. */
function exampleOf(file: string): string {
  const guide = readFileSync(path.join(repository, 'docs/kubernetes.md'), 'utf8');
  const [, after] = guide.split(`\`\`\`yaml\n# ${file}\n`);
  if (after === undefined) throw new Error(`docs/kubernetes.md has no example ${file}`);
  return after.slice(0, after.indexOf('```'));
}

/** Renders a kustomization with paths relative to a folder beside the overlays. */
function renderKustomization(
  kustomization: object,
  files: Readonly<Record<string, string>> = {},
): Manifest[] {
  // Kustomize accepts relative paths only, so the folder is beside the overlays.
  const folder = mkdtempSync(path.join(K8S, '.rendered-'));
  try {
    writeFileSync(path.join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return renderAt(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifests that `kubectl apply -k <folder>` would send. Throws with the output of kubectl. */
export function renderAt(folder: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: BYTES_MAX });
  return parseAllDocuments(text).map((document) => unfolded(document.toJS() as Manifest));
}

/** Kustomize wraps the base64 of long secrets; clusters ignore the line ends. */
function unfolded(manifest: Manifest): Manifest {
  if (manifest.kind !== 'Secret') return manifest;
  const data = Object.entries(manifest.data as Record<string, string>);
  return {
    ...manifest,
    data: Object.fromEntries(data.map(([key, value]) => [key, value.replace(/\s/g, '')])),
  };
}

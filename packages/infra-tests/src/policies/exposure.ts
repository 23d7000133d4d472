import { ofKind } from '../manifests/kinds.js';
import type { Policy } from './policy.js';

const NGINX = 'nginx.ingress.kubernetes.io';
/** Of an artifact (`ARTIFACT_BYTES_MAX` of the API); what a form adds comes on top. */
const UPLOAD_MIB_MAX = 100;
/** Event streams say something every 15 s; nginx waits for 60 s unless it is told, and some are late. */
const SILENT_SECONDS_MIN = 600;

export const EXPOSURE = {
  'no service has a port on nodes, or an address outside of the cluster': (manifests) =>
    ofKind(manifests, 'Service')
      .filter(({ spec: { type, externalIPs } }) => type !== 'ClusterIP' || externalIPs.length > 0)
      .map(({ metadata, spec }) => `${metadata.name}: ${spec.type}`),
  'an ingress leads every path of a host to us, by TLS': (manifests) =>
    ofKind(manifests, 'Ingress').flatMap(({ metadata, spec }) => {
      const certified = spec.tls.flatMap(({ hosts }) => hosts);
      return spec.rules
        .filter(({ host = '', http: { paths } }) => {
          const isWhole = paths.every(({ path, pathType }) => path === '/' && pathType === 'Prefix');
          return !isWhole || !certified.includes(host);
        })
        .map(({ host }) => `${metadata.name}: ${host}`);
    }),
  'an ingress takes the largest upload, and lets streams of events through as they come': (manifests) =>
    ofKind(manifests, 'Ingress')
      .filter(({ metadata: { annotations } }) => {
        const [, mib] = /^(\d+)m$/.exec(annotations[`${NGINX}/proxy-body-size`] ?? '') ?? [];
        const seconds = Number(annotations[`${NGINX}/proxy-read-timeout`] ?? 0);
        const isGathered = annotations[`${NGINX}/proxy-buffering`] !== 'off';
        return !(Number(mib) > UPLOAD_MIB_MAX) || isGathered || !(seconds >= SILENT_SECONDS_MIN);
      })
      .map(({ metadata }) => metadata.name),
} satisfies Record<string, Policy>;

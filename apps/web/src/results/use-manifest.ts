import { type ResponseOutput, type Run, routes } from '@agentclash/api';
import { useRead } from '../data/use-read.js';
import { useIsShared } from '../session/session.js';

type Manifest = ResponseOutput<typeof routes.versions.manifest>;

/** The manifest of a run's version: undefined until it is loaded, and for a link to a run, which shows no pack. */
export function useManifest(run: Run | undefined): Manifest | undefined {
  const isShared = useIsShared();
  const version_id = run?.challenge_pack_version_id ?? '';
  return useRead(
    routes.versions.manifest,
    { params: { version_id } },
    { enabled: version_id !== '' && !isShared },
  ).data;
}

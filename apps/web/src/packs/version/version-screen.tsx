import { type PackVersion, routes } from '@agentclash/api';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useIsShown } from '../../data/use-is-shown.js';
import { useRead } from '../../data/use-read.js';
import { Button, ButtonLink } from '../../design/button.js';
import { Page } from '../../design/page.js';
import { saveFile } from '../../design/save-file.js';
import { Failure } from '../../design/states.js';
import { Ago } from '../../design/time.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useMay, useSession } from '../../session/session.js';
import { DraftText } from '../draft/draft-text.js';
import { AuditBadge } from './audit-badge.js';
import { AuditPanel } from './audit-panel.js';
import { InputSets } from './input-sets.js';
import { LifecycleActions, LifecycleBadge } from './lifecycle-actions.js';
import { ManifestView } from './manifest-view.js';
import { readManifest } from './read-manifest.js';

/** One published version and its content. */
export default function VersionScreen({ params: { versionId } }: ScreenProps<'versionId'>) {
  const params = { version_id: versionId };
  const version = useRead(routes.versions.get, { params });
  const manifest = useRead(routes.versions.manifest, { params });
  // A file of results has the document of its pack, without the resources of a server.
  const { results_only: isOnlyResults } = useSession().whoami;
  const name = version.data ? `${version.data.name} v${version.data.version_number}` : 'Version';
  return (
    <Page
      title={name}
      lead={version.data && <Facts version={version.data} />}
      actions={version.data && !isOnlyResults && <Actions version={version.data} />}
    >
      {!isOnlyResults && <InputSets versionId={versionId} />}
      {version.data && !isOnlyResults && <AuditPanel version={version.data} />}
      <Loaded of={manifest} what="the manifest">
        {(data) => <ManifestView manifest={readManifest(data)} />}
      </Loaded>
    </Page>
  );
}

function Facts({ version }: { version: PackVersion }) {
  return (
    <>
      <LifecycleBadge status={version.lifecycle_status} />
      <AuditBadge certificate={version.audit} />
      <Link to={`/packs/${version.slug}`}>{version.slug}</Link>
      <span>{version.execution_mode}</span>
      <span>
        by {version.published_by}, <Ago at={version.published_at} />
      </span>
      <code>{version.digest}</code>
    </>
  );
}

function Actions({ version }: { version: PackVersion }) {
  const mayStart = useMay('member') && version.lifecycle_status !== 'archived';
  return (
    <>
      <LifecycleActions version={version} />
      <BundleButton version={version} />
      <EditButton version={version} />
      {mayStart && (
        <ButtonLink to={`/runs/new?version=${version.id}`} kind="primary">
          Start a run
        </ButtonLink>
      )}
    </>
  );
}

/** Downloads the published document. A link cannot send the token, which is a header. */
function BundleButton({ version: { id, slug, version_number } }: { version: PackVersion }) {
  const { client } = useSession();
  const download = useMutation({
    mutationFn: async () => {
      const response = await client.call(routes.versions.bundle, { params: { version_id: id } });
      saveFile(await response.blob(), `${slug}-v${version_number}.yaml`);
    },
  });
  return (
    <>
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        Download YAML
      </Button>
      {download.error && <Failure error={download.error} />}
    </>
  );
}

/** Opens the document of a version in the editor, as the version after the newest. */
function EditButton({ version: { id, slug } }: { version: PackVersion }) {
  const { client, whoami } = useSession();
  const [, go] = useLocation();
  const isShown = useIsShown();
  const edit = useMutation({
    mutationFn: async () => {
      const [response, { versions }, { withVersionNumber }] = await Promise.all([
        client.call(routes.versions.bundle, { params: { version_id: id } }),
        client.call(routes.packs.get, { params: { pack: slug } }),
        import('./version-number.js'),
      ]);
      const newest = Math.max(...versions.map(({ version_number }) => version_number));
      const text = withVersionNumber(await response.text(), newest + 1);
      if (!isShown()) return;
      new DraftText(sessionStorage, whoami.workspace?.id ?? '').keep(text);
      go('/packs/check');
    },
  });
  return (
    <>
      <Button isBusy={edit.isPending} onClick={() => edit.mutate()}>
        Edit as next version
      </Button>
      {edit.error && <Failure error={edit.error} />}
    </>
  );
}

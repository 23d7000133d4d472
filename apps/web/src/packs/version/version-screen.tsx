import { type PackVersion, routes } from '@agentclash/api';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { ButtonLink } from '../../design/button.js';
import { Page } from '../../design/page.js';
import { Ago } from '../../design/time.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useMay } from '../../session/session.js';
import { LifecycleBadge } from '../lifecycle-badge.js';
import { BundleButton } from './bundle-button.js';
import { InputSets } from './input-sets.js';
import { LifecycleActions } from './lifecycle-actions.js';
import { ManifestView } from './manifest-view.js';
import { readManifest } from './read-manifest.js';

/** One published version and its content. */
export default function VersionScreen({ params: { versionId } }: ScreenProps<'versionId'>) {
  const params = { version_id: versionId };
  const version = useRead(routes.versions.get, { params });
  const manifest = useRead(routes.versions.manifest, { params });
  const name = version.data ? `${version.data.name} v${version.data.version_number}` : 'Version';
  return (
    <Page
      title={name}
      lead={version.data && <Facts version={version.data} />}
      actions={version.data && <Actions version={version.data} />}
    >
      <InputSets versionId={versionId} />
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
      {mayStart && (
        <ButtonLink to={`/runs/new?version=${version.id}`} kind="primary">
          Start a run
        </ButtonLink>
      )}
    </>
  );
}

import { type AuditCertificate, type PackAudit, type PackVersion, routes } from '@agentclash/api';
import { isAuditActive } from '@agentclash/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChange } from '../../data/use-change.js';
import { useRead } from '../../data/use-read.js';
import { Button } from '../../design/button.js';
import { Meter } from '../../design/meter.js';
import { Panel } from '../../design/panel.js';
import { Failure } from '../../design/states.js';
import { Ago } from '../../design/time.js';
import { useMay } from '../../session/session.js';
import { AuditBadge } from './audit-badge.js';
import { AuditReportView } from './audit-report-view.js';

const REFRESH_MS = 2_000;

/** The audits of a version: its certificate with the findings behind it, and the one that is under way. */
export function AuditPanel({ version }: { version: PackVersion }) {
  const params = { version_id: version.id };
  const mayAudit = useMay('member');
  const newest = useRead(
    routes.audits.list,
    { params, query: { limit: 1 } },
    {
      refetchInterval: (data) =>
        data?.items.some(({ status }) => isAuditActive(status)) ? REFRESH_MS : false,
    },
  );
  const [audit] = newest.data?.items ?? [];
  const isActive = audit !== undefined && isAuditActive(audit.status);
  useVersionAfter(isActive);
  // The certificate in the list is newer than that of a version which was read before.
  const certificate = audit?.certificate ?? version.audit;
  return (
    <Panel
      title="Audit"
      actions={
        // Not before it is known which: a button to start an audit would turn into the one that cancels it.
        mayAudit &&
        !newest.isLoading && <Actions versionId={version.id} active={isActive ? audit : undefined} />
      }
    >
      <p>
        <AuditBadge certificate={certificate} /> {certificate && <Ago at={certificate.audited_at} />}
      </p>
      {newest.error && <Failure error={newest.error} onRetry={() => void newest.refetch()} />}
      {isActive && <Under audit={audit} />}
      {audit && <End audit={audit} />}
      {certificate ? (
        <Limits certificate={certificate} digest={version.digest} />
      ) : (
        !isActive && newest.data && <p>{UNAUDITED}</p>
      )}
      {certificate && <Certified versionId={version.id} auditId={certificate.audit_id} />}
    </Panel>
  );
}

const UNAUDITED =
  'Nothing shows yet that work is needed to pass this version. An audit runs its solutions, agents without work, cheats and solutions with small defects, in sandboxes without a model.';

/** Reads the version again when its audit has ended: other parts of the page show its certificate. */
function useVersionAfter(isActive: boolean): void {
  const queries = useQueryClient();
  const wasActive = useRef(isActive);
  useEffect(() => {
    if (wasActive.current && !isActive) {
      void queries.invalidateQueries({ queryKey: [routes.versions.get.path] });
    }
    wasActive.current = isActive;
  }, [isActive, queries]);
}

/** The reason for which the newest audit has no certificate. */
function End({ audit: { status, error, finished_at } }: { audit: PackAudit }) {
  if (error) return <p>The last audit did not complete: {error.message}</p>;
  if (status !== 'cancelled') return null;
  return (
    <p>
      The last audit was cancelled
      {finished_at && (
        <>
          , <Ago at={finished_at} />
        </>
      )}
      .
    </p>
  );
}

/** The limits of a certificate. */
function Limits({ certificate, digest }: { certificate: AuditCertificate; digest: string }) {
  if (certificate.digest !== digest) {
    return <p>This certificate is of other content ({certificate.digest}): audit the version again.</p>;
  }
  if (!certificate.quick) return null;
  return <p>A quick audit tries a part of the cases, cheats and mutants: no policy or gate accepts it.</p>;
}

function Actions({ versionId, active }: { versionId: string; active: PackAudit | undefined }) {
  const touches = [routes.audits.list, routes.versions.get];
  const create = useChange(routes.audits.create, { touches, done: 'Audit started' });
  const cancel = useChange(routes.audits.cancel, { touches, done: 'Audit cancelled' });
  const params = { version_id: versionId };
  const error = create.error ?? cancel.error;
  const start = (quick: boolean) => create.mutate({ params, body: { quick } });
  return (
    <>
      {error && <Failure error={error} />}
      {active ? (
        <Button
          isBusy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { ...params, audit_id: active.id } })}
        >
          Cancel the audit
        </Button>
      ) : (
        <>
          <Button isBusy={create.isPending} onClick={() => start(true)}>
            Quick audit
          </Button>
          <Button isBusy={create.isPending} onClick={() => start(false)}>
            Audit
          </Button>
        </>
      )}
    </>
  );
}

function Under({ audit: { status, progress } }: { audit: PackAudit }) {
  if (progress === null) return <p>{status === 'queued' ? 'Waiting for an executor' : 'Starting'}</p>;
  const { check, done, total } = progress;
  const label = `${check}: ${done} of ${total} trials`;
  return (
    <p>
      {label} <Meter label={label} parts={[{ share: total === 0 ? 0 : done / total, tone: 'accent' }]} />
    </p>
  );
}

function Certified({ versionId, auditId }: { versionId: string; auditId: string }) {
  const details = useRead(routes.audits.get, { params: { version_id: versionId, audit_id: auditId } });
  if (details.error) return <Failure error={details.error} onRetry={() => void details.refetch()} />;
  const report = details.data?.report;
  return report ? <AuditReportView report={report} /> : null;
}

import { routes } from '@agentclash/api';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { newIdempotencyKey } from '../../data/idempotency-key.js';
import { useChange } from '../../data/use-change.js';
import { Button } from '../../design/button.js';
import { Failure } from '../../design/states.js';
import { useMay } from '../../session/session.js';
import { packBody } from './pack-body.js';

interface PublishButtonProps {
  text: string;
  files: ReadonlyMap<string, File>;
  isValid: boolean;
}

/** Publishes the text of the editor with its files; equal content is published once. */
export function PublishButton({ text, files, isValid }: PublishButtonProps) {
  const [, go] = useLocation();
  const sent = useRef({ text: '', files, key: '' });
  const publish = useChange(routes.packs.publish, {
    touches: [routes.packs.list, routes.packs.get],
    done: ({ created }) => (created ? 'Pack published' : 'This content was published before'),
    onSuccess: ({ created, challenge_pack_version_id }) => {
      if (created) go(`/versions/${challenge_pack_version_id}`);
    },
  });
  const send = () => {
    if (sent.current.text !== text || sent.current.files !== files)
      sent.current = { text, files, key: newIdempotencyKey() };
    publish.mutate({ body: packBody(text, files), idempotencyKey: sent.current.key });
  };
  const mayPublish = useMay('member');
  if (!mayPublish) return <p>Only members of the workspace may publish.</p>;
  return (
    <>
      <Button kind="primary" disabled={!isValid} isBusy={publish.isPending} onClick={send}>
        Publish
      </Button>
      {publish.data?.created === false && (
        <p role="status">
          Already published as{' '}
          <Link to={`/versions/${publish.data.challenge_pack_version_id}`}>
            version {publish.data.version_number}
          </Link>
          .
        </p>
      )}
      {publish.error && <Failure error={publish.error} />}
    </>
  );
}

import { type PackVersion, routes } from '@agentclash/api';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../design/button.js';
import { Failure } from '../../design/failure.js';
import { useSession } from '../../session/session.js';

/** Downloads the published document. A link cannot send the token, which is a header. */
export function BundleButton({ version: { id, slug, version_number } }: { version: PackVersion }) {
  const { client } = useSession();
  const download = useMutation({
    mutationFn: async () => {
      const response = await client.call(routes.versions.bundle, { params: { version_id: id } });
      save(await response.blob(), `${slug}-v${version_number}.yaml`);
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

function save(bytes: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

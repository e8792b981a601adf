import { Stack } from '@mantine/core';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { FormSkeleton } from '../../../components/layout/skeletons.tsx';
import { useMailServer } from './mail-query.ts';
import { MailServerState } from './mail-server-state.tsx';
import { MissingMailServer } from './missing-mail-server.tsx';
import { TestEmail } from './test-email.tsx';

/** The mail server of the installation: whether there is one, and whether it works. */
export function MailSection() {
  const { data, error, refetch } = useMailServer();
  if (!data) return error ? <ErrorNote error={error} retry={refetch} /> : <FormSkeleton fields={3} />;
  if (!data.configured) return <MissingMailServer />;
  return (
    <Stack gap="xl">
      <MailServerState mailServer={data} />
      <TestEmail />
    </Stack>
  );
}

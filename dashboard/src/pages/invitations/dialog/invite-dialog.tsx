import { Stack } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Dialog, DialogFooter } from '../../../components/layout/dialog.tsx';
import { LinkButton } from '../../../components/layout/links.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSite } from '../../../session/site.ts';
import { ShareLink } from '../link/share-link.tsx';
import { BulkResults } from './bulk-results.tsx';
import { CreateForm, type Invited } from './create-form.tsx';

interface InviteDialogProps {
  opened: boolean;
  close: () => void;
}

/** Creates invitations, then shows the link with its QR code, or the result for each address. */
export function InviteDialog({ opened, close }: InviteDialogProps) {
  const t = useTexts('invitations');
  const [invited, setInvited] = useState<Invited | null>(null);
  const end = () => {
    setInvited(null);
    close();
  };
  return (
    <Dialog opened={opened} onClose={end} title={useTitle(invited)} size="lg">
      {!invited && <CreateForm close={end} created={setInvited} />}
      {invited && 'results' in invited && <BulkResults results={invited.results} close={end} />}
      {invited && 'invitation' in invited && (
        <Stack>
          <ShareLink invitation={invited.invitation} autoFocus />
          <DialogFooter>
            <LinkButton
              variant="default"
              from="/$site"
              to="/$site/invitations/$invitationId"
              params={{ invitationId: invited.invitation.id }}
            >
              {t('show')}
            </LinkButton>
            <ActionButton label={t('done')} onClick={end} />
          </DialogFooter>
        </Stack>
      )}
    </Dialog>
  );
}

function useTitle(invited: Invited | null): string {
  const t = useTexts('invitations');
  const { title: site } = useSite();
  if (!invited) return t('inviteTitle', { site });
  if ('results' in invited) return t('results');
  return [site, invited.invitation.note].filter(Boolean).join(' · ');
}

import { isFailure } from '@gatehouse/member-lists';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import type { Result } from '../import/use-import.ts';
import { InviteQuestion } from './invite-question.tsx';
import { InvitingProgress } from './inviting-progress.tsx';
import { failedOf, useInviting } from './use-inviting.ts';

/** Invites the members whom an import has created. Once all are invited, there is nothing left to do. */
export function InviteNew({ results }: { results: readonly Result[] }) {
  const t = useTexts('add');
  const [opened, { open, close }] = useDisclosure();
  const { state, start, ...actions } = useInviting();
  const emails = invitable(results);
  if (emails.length === 0) return null;
  const isDone =
    state !== null && state.results.length === state.total && failedOf(state.results).length === 0;
  const count = emails.length;
  return (
    <>
      {!isDone && (
        <ActionButton
          variant="filled"
          icon={IconMailPlus}
          label={t('invite.these', { count })}
          onClick={open}
        />
      )}
      <Dialog
        opened={opened}
        onClose={close}
        title={t('invite.title', { count })}
        closeOnClickOutside={!state?.running}
        closeOnEscape={!state?.running}
        withCloseButton={!state?.running}
      >
        {state ? (
          <InvitingProgress state={state} close={close} {...actions} />
        ) : (
          <InviteQuestion count={count} close={close} send={(language) => start(emails, language)} />
        )}
      </Dialog>
    </>
  );
}

/** The addresses of the members who are new and can log in. */
function invitable(results: readonly Result[]): string[] {
  return results.flatMap(({ draft, outcome }) =>
    outcome.status === 'created' && !isFailure(outcome) && draft.status !== 'blocked'
      ? [draft.address ?? draft.email]
      : [],
  );
}

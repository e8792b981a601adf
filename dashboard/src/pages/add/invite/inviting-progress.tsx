import type { BulkInvitationResultItem } from '@gatehouse/client';
import { Button, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { DialogFooter } from '../../../components/layout/dialog.tsx';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useErrorText } from '../../../format/error-text.ts';
import { focusIfLost } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { failedOf, type InvitingState } from './use-inviting.ts';

const maxShownFailures = 10;

interface InvitingProgressProps {
  state: InvitingState;
  again: () => void;
  resume: () => void;
  stop: () => void;
  close: () => void;
}

/** How many people are invited so far, who could not be, and what can be done about it. */
export function InvitingProgress({ state, ...actions }: InvitingProgressProps) {
  const t = useTexts('add');
  const { total, results, error } = state;
  const failed = failedOf(results);
  return (
    <Stack>
      <Progress value={(results.length / total) * 100} aria-label={t('progress')} transitionDuration={150} />
      <Text role="status">
        {t('done', { done: results.length, total })}{' '}
        {t('invite.sent', { count: results.length - failed.length })}
      </Text>
      {error !== null && <ErrorNote error={error} />}
      {failed.length > 0 && <NotInvited failed={failed} />}
      <Actions state={state} failed={failed} {...actions} />
    </Stack>
  );
}

function NotInvited({ failed }: { failed: readonly BulkInvitationResultItem[] }) {
  const t = useTexts('add');
  const errorText = useErrorText();
  const more = failed.length - maxShownFailures;
  return (
    <Notice state="bad" title={t('invite.failed', { count: failed.length })}>
      <List size="sm">
        {failed.slice(0, maxShownFailures).map((item) => (
          <List.Item key={item.email}>
            {`${displayAddress(item.email)}: ${item.status === 'created' ? '' : errorText(item.error)}`}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t('moreFailed', { count: more })}</List.Item>}
      </List>
    </Notice>
  );
}

interface ActionsProps extends InvitingProgressProps {
  failed: readonly BulkInvitationResultItem[];
}

function Actions({ state, failed, again, resume, stop, close }: ActionsProps) {
  const t = useTexts('add');
  const { running, results, total } = state;
  const buttons = useRef<HTMLDivElement>(null);
  // These buttons replace each other.
  useEffect(() => focusIfLost(buttons.current?.querySelector('button')), [running]);
  const isOver = results.length === total;
  return (
    <DialogFooter>
      <Group gap="xs" ref={buttons}>
        {running ? (
          <ActionButton label={t('stop')} onClick={stop} />
        ) : (
          <>
            {isOver && failed.length > 0 && (
              <ActionButton label={t('invite.again', { count: failed.length })} onClick={again} />
            )}
            {!isOver && <ActionButton label={t('continue')} onClick={resume} />}
            <Button onClick={close}>{t('invite.close')}</Button>
          </>
        )}
      </Group>
    </DialogFooter>
  );
}

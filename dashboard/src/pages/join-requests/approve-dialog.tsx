import type { DecideJoinRequests, JoinRequest } from '@gatehouse/client';
import { Checkbox, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButtons } from '../../components/forms/dialog-buttons.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { RowsSkeleton } from '../../components/layout/skeletons.tsx';
import { customGroups, LastDayField } from '../../components/members/membership-fields.tsx';
import { useLastDay } from '../../hooks/use-last-day.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { useMay } from '../../session/site.ts';
import { nameOf } from './decisions/person-name.ts';
import { proposedGroups, toApprovals } from './decisions/proposed-groups.ts';

interface ApproveFormProps {
  requests: readonly JoinRequest[];
  close: () => void;
  approve: (requests: readonly JoinRequest[], decisions: readonly DecideJoinRequests[]) => void;
}

interface ApproveDialogProps extends Omit<ApproveFormProps, 'requests'> {
  /** Null while the dialog is closed. */
  requests: readonly JoinRequest[] | null;
}

/** Asks for the groups of people who are approved, and until when. */
export function ApproveDialog({ requests, ...form }: ApproveDialogProps) {
  const t = useTexts('joinRequests');
  const { isLoading } = useAccessGroups();
  const title =
    requests?.length === 1
      ? t('approveOne', { name: nameOf(requests[0]!) })
      : t('approveTitle', { count: requests?.length ?? 0 });
  return (
    <Dialog opened={requests !== null} onClose={form.close} title={title}>
      {isLoading && <RowsSkeleton rows={2} />}
      {requests && !isLoading && <ApproveForm requests={requests} {...form} />}
    </Dialog>
  );
}

function ApproveForm({ requests, close, approve }: ApproveFormProps) {
  const t = useTexts('joinRequests');
  const mayAdd = useMay('access-groups:read', 'access-groups:write');
  const { data } = useAccessGroups();
  const groups = mayAdd ? customGroups(data) : [];
  const possible = new Set(groups.map(({ id }) => id));
  const { common, differ } = proposedGroups(requests, possible);
  const [groupIds, setGroupIds] = useState(common);
  const [withProposed, setWithProposed] = useState(differ);
  const gainsNothing =
    groupIds.length === 0 && !withProposed && requests.some(({ memberId }) => memberId !== null);
  const { field, submit } = useLastDay('', async (expiresAt) => {
    approve(
      requests,
      toApprovals(requests, {
        groupIds,
        alsoProposed: withProposed ? possible : undefined,
        expiresAt,
      }),
    );
    return false;
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t('approveText', { count: requests.length })}</Text>
        {groups.length > 0 && (
          <MultiSelect
            label={t('groups')}
            description={gainsNothing ? t('memberWithoutGroups') : undefined}
            placeholder={groupIds.length === 0 ? t('noGroups') : ''}
            value={groupIds}
            onChange={setGroupIds}
            data={groups.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            limit={100}
          />
        )}
        {differ && (
          <Checkbox
            label={t('alsoProposed')}
            checked={withProposed}
            onChange={(event) => setWithProposed(event.currentTarget.checked)}
          />
        )}
        {(groupIds.length > 0 || withProposed) && <LastDayField {...field} />}
        <DialogButtons cancel={close} submit={t('approve')} focusSubmit />
      </Stack>
    </form>
  );
}

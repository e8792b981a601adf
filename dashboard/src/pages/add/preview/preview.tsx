import type { MemberDraft } from '@gatehouse/member-lists';
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { GroupChoice } from '../group-choice.tsx';
import { GroupNotes } from './group-notes.tsx';
import { useKnownMembers } from './known-members.ts';
import { PreviewRows } from './preview-rows.tsx';
import { type PreviewStatus, previewStatusesOf } from './preview-status.ts';
import { useGroupNames } from './use-group-names.ts';

interface PreviewProps {
  drafts: readonly MemberDraft[];
  groupIds: string[];
  chooseGroups: (groupIds: string[]) => void;
  /** Called with the ids of the groups that the rows name. */
  start: (idsByName: ReadonlyMap<string, string>) => void;
}

/** A preview of the result of each row. */
export function Preview({ drafts, groupIds, chooseGroups, start }: PreviewProps) {
  const t = useTexts('add');
  const { known, lookingUp } = useKnownMembers(drafts);
  const names = useGroupNames(drafts);
  const statuses = useMemo(
    () => previewStatusesOf(drafts, known, { ids: names.ids, forAll: groupIds }),
    [drafts, known, names.ids, groupIds],
  );
  const count = (...wanted: PreviewStatus[]) => statuses.filter((status) => wanted.includes(status)).length;
  const [newcomers, members] = [count('new', 'unknown'), count('exists', 'duplicate', 'conflict')];
  const [preparing, setPreparing] = useState(false);
  async function prepare(): Promise<void> {
    setPreparing(true);
    await names.prepare().then(start, showFailure);
    setPreparing(false);
  }
  return (
    <Stack>
      <PreviewRows drafts={drafts} statuses={statuses} />
      <Text component="div" size="sm" c="dimmed" role="status">
        {lookingUp ? (
          <Group gap={6}>
            <Loader size="xs" aria-hidden />
            {t('lookingUp')}
          </Group>
        ) : (
          count('unknown') > 0 && t('unknownText')
        )}
      </Text>
      <GroupNotes names={names} />
      <GroupChoice groupIds={groupIds} choose={chooseGroups} />
      <Text size="sm" c="dimmed">
        {t('existingText')}
      </Text>
      <Group>
        {/* The service checks the other rows and reports each result. */}
        <Button onClick={prepare} loading={preparing} disabled={newcomers + members === 0 || !names.isReady}>
          {newcomers > 0 || members === 0
            ? t('addThem', { count: newcomers })
            : t('importThem', { count: members })}
        </Button>
      </Group>
    </Stack>
  );
}

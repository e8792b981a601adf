import type { Source, SourceRun } from '@gatehouse/client';
import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { showFailure } from '../../components/feedback/error-notification.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { IconUserMinus } from '../../components/icons/icons.ts';
import { messageOf } from '../../components/sources/run-message.ts';
import { Listed, UnreadableNote } from '../../components/sources/run-result.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useConfirm } from '../../hooks/use-confirm.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { isUnderWay, lastSync } from '../../queries/sources.ts';
import { useMay } from '../../session/site.ts';
import { useSync } from './source-actions.tsx';

interface StateNoteProps {
  source: Source;
  runs: readonly SourceRun[];
}

/** How the last synchronization ended, and what someone has to do about it. */
export function StateNote({ source, runs }: StateNoteProps) {
  const last = lastSync(runs);
  if (!last) return null;
  return (
    <>
      <UnreadableNote count={last.counts.unreadable} />
      {last.status === 'confirmation_required' && <Removals source={source} runs={runs} last={last} />}
      {last.status === 'failed' && <Failure last={last} />}
    </>
  );
}

function Failure({ last }: { last: SourceRun }) {
  const t = useTexts('sources');
  return (
    <Notice state="bad" title={t('failedTitle')}>
      <Text lang="en">{messageOf(last)}</Text>
      <Text mt={4}>{t('failedText')}</Text>
    </Notice>
  );
}

/** Who would leave a group, with the button that confirms it. */
function Removals({ source, runs, last }: StateNoteProps & { last: SourceRun }) {
  const t = useTexts('sources');
  const mayWrite = useMay('sources:write');
  const isUploaded = source.type === 'program';
  const count = last.counts.withheld;
  const people = last.collections.flatMap(({ withheld, sample }) => (withheld > 0 ? sample.removed : []));
  return (
    <Notice state="attention" icon={IconUserMinus}>
      <Stack gap="sm">
        <Text fw={600}>{t('removalsTitle', { count })}</Text>
        <span>{t('removalsText')}</span>
        <Listed title={t('sampleRemoved', { count: people.length })}>{people}</Listed>
        {isUploaded && last.counts.unreadable === 0 && <span>{t('removalsByProgram')}</span>}
        {!isUploaded && mayWrite && (
          <Group ref={passFocusOn}>
            <RemoveButton source={source} last={last} isUnderWay={runs.some(isUnderWay)} />
          </Group>
        )}
      </Stack>
    </Notice>
  );
}

interface RemoveButtonProps {
  source: Source;
  last: SourceRun;
  isUnderWay: boolean;
}

function RemoveButton({ source, last, isUnderWay }: RemoveButtonProps) {
  const t = useTexts('sources');
  const count = last.counts.withheld;
  const confirm = useConfirm();
  const { send } = useSync(source.id);
  const { mutate, isPending } = useMutation({
    mutationFn: () => send({ confirmRemovals: true, confirmedRunId: last.id }),
    onError: showFailure,
  });
  async function openConfirmation(): Promise<void> {
    const isSure = await confirm({
      title: t('removeTitle', { count }),
      children: <Consequences source={source} last={last} />,
      confirm: t('remove', { count }),
    });
    if (isSure) mutate();
  }
  return (
    <Button color="red" size="xs" loading={isPending || isUnderWay} onClick={openConfirmation}>
      {t('remove', { count })}
    </Button>
  );
}

function Consequences({ source, last }: { source: Source; last: SourceRun }) {
  const t = useTexts('sources');
  return (
    <Stack gap="sm">
      <span>{t('removeText', { name: source.name })}</span>
      {source.onLeave === 'block' && <span>{t('removeBlocks')}</span>}
      {last.groupsToDelete.length > 0 && (
        <div>
          {t('removeGroups')}
          <List size="sm" my={4}>
            {last.groupsToDelete.map(({ groupId, name }) => (
              <List.Item key={groupId}>{name}</List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}

import type { Source } from '@gatehouse/client';
import { Button, Radio, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { DialogFooter } from '../../components/layout/dialog.tsx';
import { useSingleFlight } from '../../hooks/use-single-flight.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSite } from '../../session/site.ts';

interface DeleteDialogProps {
  source: Source;
  close: () => void;
}

/** Asks what becomes of the groups, and deletes the source. */
export function DeleteDialog({ source, close }: DeleteDialogProps) {
  const t = useTexts('sources');
  const common = useTexts('common');
  const [groups, setGroups] = useState<'keep' | 'delete'>('keep');
  const [deleting, setDeleting] = useState(false);
  const remove = useRemoval(source);
  const submit = useSingleFlight(async () => {
    setDeleting(true);
    await remove(groups);
    setDeleting(false);
  });
  return (
    <Stack>
      <span>{t('deleteText')}</span>
      <Radio.Group
        label={t('deleteGroups')}
        value={groups}
        onChange={(value) => setGroups(value as typeof groups)}
      >
        <Stack gap="xs" mt={6}>
          <Radio value="keep" label={t('groups.keep')} description={t('groupsHelp.keep')} />
          <Radio value="delete" label={t('groups.delete')} description={t('groupsHelp.delete')} />
        </Stack>
      </Radio.Group>
      <DialogFooter>
        <ActionButton label={common('cancel')} onClick={close} data-autofocus />
        <Button color="red" loading={deleting} onClick={submit}>
          {t('deleteIt')}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

function useRemoval({ id, name }: Source): (groups: 'keep' | 'delete') => Promise<void> {
  const t = useTexts('sources');
  const { slug } = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const change = useUndoable();
  return async (groups) => {
    const done = await change({
      done: t('deleted', { name }),
      send: () => gatehouse.sources.delete(id, { groups }),
      invalidates: [keys.sources.list, keys.groups.all, keys.members.all, keys.events.all],
    });
    if (!done) return;
    await navigate({ to: '/$site/sources', params: { site: slug } });
    client.removeQueries({ queryKey: keys.sources.one(id) });
    client.removeQueries({ queryKey: keys.sources.runs(id) });
  };
}

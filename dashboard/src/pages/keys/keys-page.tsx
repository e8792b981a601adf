import type { ApiKey, CreatedApiKey } from '@gatehouse/client';
import { Accordion, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../languages/texts.tsx';
import { useCommand } from '../../parts/commands.ts';
import { useConfirm } from '../../parts/confirm.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowsSkeleton } from '../../parts/skeletons.tsx';
import { useUndoable } from '../../parts/undoable.tsx';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyRow } from './key-row.tsx';
import { keyState, works } from './key-state.ts';
import classes from './keys.module.css';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** What programs open the API with. */
export function KeysPage() {
  const t = useTexts('keys');
  const mayWrite = useMay('api-keys:write');
  const { keys, error, refetch, revoke, keep, kept, dismiss } = useKeys();
  const [creating, { open, close }] = useDisclosure();
  useCommand('new-key', open);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const created = (key: CreatedApiKey) => {
    close();
    setRotating(null);
    keep(key);
  };
  const rows = (some: readonly ApiKey[]) =>
    some.map((key) => <KeyRow key={key.id} apiKey={key} rotate={setRotating} revoke={revoke} />);
  const inForce = keys?.filter((key) => works(keyState(key, Date.now())));
  const past = keys?.filter((key) => !works(keyState(key, Date.now())));
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t('create')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button component="a" variant="default" href="/docs" target="_blank">
              {t('docs')}
            </Button>
            {create}
          </>
        }
      />
      {error && <ErrorNote error={error} retry={refetch} />}
      {!keys && !error && <RowsSkeleton rows={3} />}
      <Stack>
        {inForce && inForce.length > 0 && (
          <ul className={classes.rows} aria-label={t('inForce')}>
            {rows(inForce)}
          </ul>
        )}
        {inForce?.length === 0 && (
          <EmptyState icon={IconKey} title={t('empty')} action={create}>
            {t('emptyText')}
          </EmptyState>
        )}
        {past && past.length > 0 && (
          <Accordion variant="contained">
            <Accordion.Item value="past">
              <Accordion.Control>{t('past', { count: past.length })}</Accordion.Control>
              <Accordion.Panel>
                <ul className={classes.rows}>{rows(past)}</ul>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        )}
      </Stack>
      {creating && <CreateKeyDialog close={close} created={created} />}
      {rotating && <RotateKeyDialog apiKey={rotating} close={() => setRotating(null)} created={created} />}
      {kept && <SecretDialog apiKey={kept} close={dismiss} />}
    </>
  );
}

/** The keys of the site, the new one whose secret is on the screen, and how one is revoked. */
function useKeys() {
  const t = useTexts('keys');
  const site = useSite();
  const gatehouse = useGatehouse();
  const client = useQueryClient();
  const confirm = useConfirm();
  const change = useUndoable();
  const [kept, setKept] = useState<CreatedApiKey | null>(null);
  const queryKey = [site.id, 'keys'];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.apiKeys.list({ limit: 100 }, { signal })),
  });

  async function revoke({ id, name, ending }: ApiKey): Promise<void> {
    const sure = await confirm({
      title: t('revokeTitle', { name }),
      children: t('revokeText', { ending }),
      confirm: t('revoke'),
    });
    if (!sure) return;
    await change({
      done: t('wasRevoked', { name }),
      send: () => gatehouse.apiKeys.revoke(id),
      concerns: [queryKey],
    });
  }

  function keep(key: CreatedApiKey): void {
    setKept(key);
    void client.invalidateQueries({ queryKey });
  }

  return { keys: data, error, refetch, revoke, keep, kept, dismiss: () => setKept(null) };
}

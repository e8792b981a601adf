import type { ApiKey } from '@gatehouse/client';
import { Accordion, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconKey, IconPlus } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMay } from '../../session/site.ts';
import { KeyDialog, type KeyStep } from './key-dialog.tsx';
import { isUsable, keyState } from './key-state.ts';
import { KeyTable } from './key-table.tsx';

/** The API keys of the site. */
export function KeysPage() {
  const t = useTexts('keys');
  const mayWrite = useMay('api-keys:write');
  const { keys, error, refetch, reload, revoke } = useKeys();
  const [step, setStep] = useState<KeyStep | null>(null);
  const open = () => setStep({ name: 'create' });
  usePageCommand('new-key', open);
  const create = mayWrite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('create')} onClick={open} />
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <DocsButton />
            {create}
          </>
        }
      />
      <QueryState query={{ data: keys, error, refetch }} rows={3} />
      {keys && (
        <KeyLists
          keys={keys}
          rotate={(apiKey) => setStep({ name: 'rotate', apiKey })}
          revoke={revoke}
          create={create}
        />
      )}
      <KeyDialog
        step={step}
        created={(apiKey) => setStep({ name: 'secret', apiKey })}
        close={() => {
          setStep(null);
          if (step?.name === 'secret') void reload();
        }}
      />
    </>
  );
}

function DocsButton() {
  const t = useTexts('keys');
  return (
    <Button variant="default" renderRoot={(props) => <a href="/docs" target="_blank" {...props} />}>
      {t('docs')}
    </Button>
  );
}

interface KeyListsProps {
  keys: readonly ApiKey[];
  rotate: (key: ApiKey) => void;
  revoke: (key: ApiKey) => void;
  /** The button that creates the first key. */
  create: ReactNode;
}

/** The active keys and, collapsed, the expired and revoked ones. */
function KeyLists({ keys, rotate, revoke, create }: KeyListsProps) {
  const t = useTexts('keys');
  const working = keys.filter((key) => isUsable(keyState(key, Date.now())));
  const past = keys.filter((key) => !isUsable(keyState(key, Date.now())));
  const pastCount = t('past', { count: past.length });
  return (
    <Stack>
      {working.length > 0 ? (
        <KeyTable label={t('inForce')} keys={working} rotate={rotate} revoke={revoke} />
      ) : (
        <EmptyState icon={IconKey} title={t('empty')} action={create}>
          {t('emptyText')}
        </EmptyState>
      )}
      {past.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="past">
            <Accordion.Control>{pastCount}</Accordion.Control>
            <Accordion.Panel>
              <KeyTable label={pastCount} keys={past} rotate={rotate} revoke={revoke} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}

/** The keys of the site, and the action that revokes one. */
function useKeys() {
  const t = useTexts('keys');
  const { gatehouse, client } = useSiteApi();
  const change = useUndoable();
  const queryKey = useSiteKeys().apiKeys;
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.apiKeys.list({ limit: 100 }, { signal })),
  });

  async function revoke({ id, name, last4 }: ApiKey): Promise<void> {
    await change({
      question: {
        title: t('revokeTitle', { name }),
        children: t('revokeText', { last4 }),
        confirm: t('revoke'),
      },
      done: t('wasRevoked', { name }),
      send: () => gatehouse.apiKeys.revoke(id),
      invalidates: [queryKey],
    });
  }

  return { keys: data, error, refetch, reload: () => client.invalidateQueries({ queryKey }), revoke };
}

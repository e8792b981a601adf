import type { Operator } from '@gatehouse/client';
import { Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { IconUserPlus } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { usePageCommand } from '../../hooks/use-page-command.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useMe } from '../../session/me.ts';
import { useMay, useSite } from '../../session/site.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { OperatorTable } from './operator-table.tsx';

/** The operators of the site. */
export function OperatorsPage() {
  const t = useTexts('operators');
  const site = useSite();
  const { gatehouse, keys } = useSiteApi();
  const mayWrite = useMay('operators:write');
  const { requiresPasskeys } = useMe();
  const [inviting, { open, close }] = useDisclosure();
  usePageCommand('invite', open);
  const { data, error, refetch } = useQuery({
    queryKey: keys.operators,
    queryFn: ({ signal }) => Array.fromAsync(gatehouse.operators.list({ limit: 100 }, { signal })),
  });

  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description', { site: site.title })}
        actions={
          mayWrite && <ActionButton variant="filled" icon={IconUserPlus} label={t('invite')} onClick={open} />
        }
      />
      <QueryState query={{ data, error, refetch }} rows={3} />
      {data && <OperatorTable operators={data} mayWrite={mayWrite} />}
      {!requiresPasskeys && data?.some(isWithoutPasskey) && (
        <Hint mt="md">
          {t.rich('requirePasskeys', { setting: <Code>GATEHOUSE_REQUIRE_PASSKEYS=true</Code> })}
        </Hint>
      )}
      <InviteDialog opened={inviting} close={close} />
    </>
  );
}

/** Those who may not manage operators do not learn who has a passkey. */
function isWithoutPasskey({ passkeys, status }: Operator): boolean {
  return passkeys === 0 && status === 'active';
}

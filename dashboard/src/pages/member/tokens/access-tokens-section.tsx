import type { AccessToken, MemberWithGroups } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EndText } from '../../../components/end-text.tsx';
import { QueryState } from '../../../components/feedback/query-state.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { List, ListRow } from '../../../components/layout/list.tsx';
import { Section } from '../../../components/layout/section.tsx';
import { useMemberChange } from '../../../components/members/use-member-change.ts';
import { TimeText } from '../../../components/time-text.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../../session/site.ts';
import { useAccessTokensQuery } from '../member-query.ts';
import { AccessTokenDialog } from './access-token-dialog.tsx';

/** The access tokens of the member's programs. */
export function AccessTokensSection({ member }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const mayCreate = useMay('login-links:write') && member.status === 'active';
  const [isCreating, setIsCreating] = useState(false);
  const { data, error, refetch } = useQuery(useAccessTokensQuery(member.id));
  return (
    <Section
      title={t('tokens')}
      action={
        mayCreate && <ActionButton label={t('createToken')} size="xs" onClick={() => setIsCreating(true)} />
      }
    >
      <QueryState query={{ data, error, refetch }} rows={1} />
      {data?.length === 0 && <Hint>{t('noTokens')}</Hint>}
      {data && data.length > 0 && (
        <List label={t('tokens')}>
          {data.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </List>
      )}
      <AccessTokenDialog memberId={member.id} opened={isCreating} close={() => setIsCreating(false)} />
    </Section>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const t = useTexts('member');
  const { accessTokens } = useGatehouse().members;
  const mayDelete = useMay('members:block');
  const change = useMemberChange(token.memberId);
  const { name, pathPrefix, lastUsedAt, expiresAt } = token;

  async function remove(): Promise<void> {
    await change({
      question: {
        title: t('deleteTokenTitle', { name }),
        children: t('deleteTokenText'),
        confirm: t('deleteToken'),
      },
      done: t('tokenDeleted', { name }),
      send: () => accessTokens.delete(token.memberId, token.id),
    });
  }

  return (
    <ListRow
      ref={passFocusOn}
      trailing={
        <Hint size="xs">
          <code>{pathPrefix}</code>
          {' · '}
          {lastUsedAt === null
            ? t('tokenUnused')
            : t.rich('tokenUsed', { time: <TimeText at={lastUsedAt} /> })}
          {expiresAt !== null && <> · {t.rich('tokenUntil', { time: <EndText at={expiresAt} /> })}</>}
        </Hint>
      }
      actions={
        mayDelete && (
          <ActionButton
            label={t('deleteToken')}
            size="xs"
            aria-label={t('deleteTokenOf', { name })}
            onClick={remove}
          />
        )
      }
    >
      {name}
    </ListRow>
  );
}

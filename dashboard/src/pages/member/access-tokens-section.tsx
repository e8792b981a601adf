import type { AccessToken, MemberWithGroups } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EndText } from '../../components/end-text.tsx';
import { QueryState } from '../../components/feedback/query-state.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import { AccessTokenDialog } from './access-token-dialog.tsx';
import classes from './member.module.css';
import { useAccessTokensQuery, useMemberChange } from './member-query.ts';

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
      {data?.length === 0 && <Text c="dimmed">{t('noTokens')}</Text>}
      <ul className={classes.rows}>
        {data?.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
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
    <li className={classes.row} ref={passFocusOn}>
      <div className={classes.text}>
        <Text fw={500}>{name}</Text>
        <Hint size="xs">
          <code>{pathPrefix}</code>
          {' · '}
          {lastUsedAt === null
            ? t('tokenUnused')
            : t.rich('tokenUsed', { time: <TimeText at={lastUsedAt} /> })}
          {expiresAt !== null && <> · {t.rich('tokenUntil', { time: <EndText at={expiresAt} /> })}</>}
        </Hint>
      </div>
      {mayDelete && (
        <ActionButton
          label={t('deleteToken')}
          size="xs"
          aria-label={t('deleteTokenOf', { name })}
          onClick={remove}
        />
      )}
    </li>
  );
}

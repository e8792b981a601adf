import type { Member } from '@gatehouse/client';
import { Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { use } from 'react';
import { displayAddress } from '../../../format/addresses/email-address.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { MemberListContext } from '../../../queries/member-list.ts';
import { GroupChips } from '../../access-groups/group-chips.tsx';
import { EndText } from '../../end-text.tsx';
import { LinkText } from '../../layout/links.tsx';
import { Initials } from '../../people/initials.tsx';
import { StateText } from '../../state/state-text.tsx';
import { TimeText } from '../../time-text.tsx';
import classes from '../member-list.module.css';
import type { MembersSearch } from '../members-search.ts';
import type { MemberColumn } from './columns.ts';
import { EndingGroups } from './ending-groups.tsx';
import type { MemberGroups } from './member-groups.ts';

interface MemberCellProps {
  column: MemberColumn;
  member: Member;
  /** Undefined while they are loading. */
  groups: MemberGroups | undefined;
  /** The group whose members are listed. */
  groupId: string | undefined;
  search: MembersSearch;
  /** Changes the end of the membership in that group. */
  changeEnd: ((member: Member) => void) | undefined;
}

/** What a column says about a member. */
export function MemberCell({ column, member, groups, groupId, search, changeEnd }: MemberCellProps) {
  switch (column) {
    case 'displayName':
      return <Person member={member} />;
    case 'email':
      return displayAddress(member.email);
    case 'groups':
      if (!groups) return null;
      if (search.ends !== undefined && groupId === undefined)
        return <EndingGroups groups={groups} filtered={search.group} />;
      return <GroupChips groups={groups.filter(({ id }) => id !== groupId)} shown={2} />;
    case 'expiresAt': {
      const membership = groups?.find(({ id }) => id === groupId);
      return membership && <End at={membership.expiresAt} member={member} change={changeEnd} />;
    }
    case 'status':
      return <Status status={member.status} />;
    case 'paid':
    case 'verified':
      return <YesOrNo value={member[column]} />;
    default:
      return <Time at={member[column]} />;
  }
}

function Person({ member }: { member: Member }) {
  const memberList = use(MemberListContext);
  const email = displayAddress(member.email);
  return (
    <span className={classes.person} title={member.displayName ? `${member.displayName} · ${email}` : email}>
      <Initials name={member.displayName ?? email} id={member.id} size="sm" />
      <LinkText
        from="/$site"
        to="/$site/members/$memberId"
        params={{ memberId: member.id }}
        state={{ memberList }}
        c="inherit"
        fw={500}
        truncate
      >
        {member.displayName ?? email}
      </LinkText>
      {member.displayName && <span className={classes.address}>{email}</span>}
    </span>
  );
}

function End({
  at,
  member,
  change,
}: {
  at: string | null;
  member: Member;
  change: MemberCellProps['changeEnd'];
}) {
  const t = useTexts('members');
  const text = at === null ? <Quiet>{t('noEnd')}</Quiet> : <EndText at={at} as="day" />;
  if (!change) return text;
  const name = member.displayName ?? displayAddress(member.email);
  return (
    <UnstyledButton className={classes.end!} onClick={() => change(member)}>
      <VisuallyHidden>{t('changeEnd', { member: name })}</VisuallyHidden>
      {text}
    </UnstyledButton>
  );
}

function Status({ status }: Pick<Member, 'status'>) {
  const t = useTexts('members');
  return <StateText state={status === 'blocked' ? 'bad' : 'good'}>{t(status)}</StateText>;
}

function YesOrNo({ value }: { value: boolean | null }) {
  const t = useTexts('members');
  if (value === null) return <Quiet>–</Quiet>;
  return <StateText state={value ? 'good' : 'neutral'}>{t(value ? 'yes' : 'no')}</StateText>;
}

function Time({ at }: { at: string | null }) {
  return at === null ? <Quiet>–</Quiet> : <TimeText at={at} />;
}

function Quiet({ children }: { children: string }) {
  return (
    <Text span inherit c="dimmed">
      {children}
    </Text>
  );
}

import { Text } from '@mantine/core';
import { use } from 'react';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { MemberListContext } from '../../queries/member-list.ts';
import { LinkText } from '../layout/links.tsx';

interface MemberNameProps {
  member: { id: string; email: string; displayName: string | null };
  /** Whether the email address is shown below the name. */
  withEmail?: boolean;
}

/** A link to a member's page, with the name, or the email address if there is no name. */
export function MemberName({ member, withEmail = false }: MemberNameProps) {
  const memberList = use(MemberListContext);
  return (
    <div style={{ minInlineSize: 0 }}>
      <LinkText
        from="/$site"
        to="/$site/members/$memberId"
        params={{ memberId: member.id }}
        state={{ memberList }}
        c="inherit"
        fw={500}
        truncate
        display="block"
      >
        {member.displayName ?? displayAddress(member.email)}
      </LinkText>
      {withEmail && member.displayName && (
        <Text c="dimmed" size="xs" truncate>
          {displayAddress(member.email)}
        </Text>
      )}
    </div>
  );
}

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useSite } from '../../session/site.ts';

interface MemberNameProps {
  member: { id: string; email: string; displayName: string | null };
  /** Whether the email address is shown below the name. */
  withEmail?: boolean;
}

/** A link to a member's page, with the name, or the email address if there is no name. */
export function MemberName({ member, withEmail = false }: MemberNameProps) {
  const { slug } = useSite();
  return (
    <div style={{ minInlineSize: 0 }}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/$site/members/$memberId" params={{ site: slug, memberId: member.id }} {...props} />
        )}
        c="inherit"
        fw={500}
        truncate
        display="block"
      >
        {member.displayName ?? displayAddress(member.email)}
      </Anchor>
      {withEmail && member.displayName && (
        <Text c="dimmed" size="xs" truncate>
          {displayAddress(member.email)}
        </Text>
      )}
    </div>
  );
}

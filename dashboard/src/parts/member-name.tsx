import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSite } from '../session/site.ts';
import { shownAddress } from './address.ts';

interface MemberNameProps {
  member: { id: string; email: string; displayName: string | null };
  /** Whether the address stands under the name. */
  withEmail?: boolean;
}

/** A member by name, or by address without one, leading to the member's page. */
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
        {member.displayName ?? shownAddress(member.email)}
      </Anchor>
      {withEmail && member.displayName && (
        <Text c="dimmed" size="xs" truncate>
          {shownAddress(member.email)}
        </Text>
      )}
    </div>
  );
}

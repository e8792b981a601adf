import type { WebhookDelivery } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { LinkText } from '../../../components/layout/links.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useGroupById } from '../../../queries/by-id.ts';

type DeliveryObject = NonNullable<WebhookDelivery['object']>;

/** What an event is about: a link to a member or an access group that exists, or else a name or what it is. */
export function DeliveryObjectText({ object: { type, id, name } }: { object: DeliveryObject }) {
  const t = useTexts('webhooks');
  if (name === null) {
    const unnamed = `unnamed.${type}`;
    return (
      <Text component="span" inherit c="dimmed">
        {t.has(unnamed) ? t(unnamed) : type}
      </Text>
    );
  }
  if (type === 'member')
    return (
      <LinkText from="/$site" to="/$site/members/$memberId" params={{ memberId: id }} c="inherit" inherit>
        {name}
      </LinkText>
    );
  return type === 'access_group' ? <GroupText id={id} name={name} /> : name;
}

/** The event still has the name of a group that was deleted. */
function GroupText({ id, name }: Pick<DeliveryObject, 'id' | 'name'>) {
  const isDeleted = useGroupById(id) === null;
  if (isDeleted) return name;
  return (
    <LinkText from="/$site" to="/$site/groups/$groupId" params={{ groupId: id }} c="inherit" inherit>
      {name}
    </LinkText>
  );
}

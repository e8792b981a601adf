import type { AccessGroup } from '@gatehouse/client';
import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { type GroupUses, useGroupUses } from '../../queries/access/group-uses.ts';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSite } from '../../session/site.ts';

const lists = new Intl.ListFormat(locale, { type: 'conjunction' });

/** Deletes a group, after a question that says what depends on it. */
export function useRemoval(group: AccessGroup): () => Promise<void> {
  const t = useTexts('groups');
  const site = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const usesOf = useGroupUses();
  const change = useUndoable();
  const { id, name } = group;
  return async () => {
    const uses = await usesOf(id);
    const done = await change({
      question: {
        title: t('deleteTitle', { name }),
        children: <Consequences group={group} uses={uses} />,
        confirm: t('delete'),
      },
      done: t('deleted', { name }),
      send: () => gatehouse.accessGroups.delete(id),
      invalidates: [keys.groups.lists, keys.groups.choices, keys.members.all],
    });
    if (!done) return;
    await navigate({ to: '/$site/groups', params: { site: site.slug } });
    client.removeQueries({ queryKey: keys.groups.one(id) });
  };
}

function Consequences({
  group: { memberCount },
  uses: { paths, domains, invitations },
}: {
  group: AccessGroup;
  uses: GroupUses;
}) {
  const t = useTexts('groups');
  const texts = [
    memberCount === 0 ? t('deleteEmpty') : t('deleteText', { count: memberCount }),
    paths.length > 0 && t('deleteUsed', { count: paths.length, paths: lists.format(paths) }),
    domains.length > 0 && t('deleteSignUp', { domains: lists.format(domains) }),
    invitations > 0 && t('deleteInvitations', { count: invitations }),
  ];
  return <Stack gap="xs">{texts.map((text) => text && <span key={text}>{text}</span>)}</Stack>;
}

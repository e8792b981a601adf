import { type AccessGroup, type AccessRule, GatehouseError } from '@gatehouse/client';
import { Alert, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { IconFolderOff, IconInfoCircle } from '../../components/icons/icons.ts';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { EmptyState } from '../../components/layout/empty-state.tsx';
import { BackLink } from '../../components/layout/links.tsx';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { PageSkeleton } from '../../components/layout/skeletons.tsx';
import { ScopeBadge } from '../../components/sources/scope-badge.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { type Version, versionOf } from '../../queries/version.ts';
import { useGatehouse, useMay, useSite } from '../../session/site.ts';
import { GroupDialog } from '../groups/group-dialog.tsx';
import { GroupMembers } from './group-members.tsx';

/** One access group: its name, description and members. */
export function GroupPage() {
  const t = useTexts('groups');
  const { groupId } = useParams({ from: '/$site/groups/$groupId' });
  const { data: saved, error, refetch } = useGroup(groupId);
  const back = <BackLink to="/$site/groups">{t('back')}</BackLink>;
  if (error instanceof GatehouseError && error.code === 'access_group_not_found') {
    return (
      <EmptyState icon={IconFolderOff} title={t('notFound')} action={back} order={1}>
        {t('notFoundText')}
      </EmptyState>
    );
  }
  if (error && !saved) return <ErrorNote error={error} retry={refetch} />;
  if (!saved) return <PageSkeleton />;
  return <FoundGroup saved={saved} back={back} />;
}

function FoundGroup({ saved, back }: { saved: Version<AccessGroup>; back: React.ReactNode }) {
  const t = useTexts('groups');
  const common = useTexts('common');
  const group = saved.data;
  const isCustom = group.type === 'custom';
  const mayWrite = useMay('access-groups:write') && isCustom;
  const [editing, { open, close }] = useDisclosure();
  const remove = useRemoval(group);
  return (
    <>
      <PageHeader
        title={group.name}
        description={group.description}
        back={back}
        actions={
          mayWrite ? (
            <>
              <ActionButton label={t('delete')} onClick={remove} />
              <ActionButton label={t('edit')} onClick={open} />
            </>
          ) : (
            !isCustom && (
              <Group>
                <ScopeBadge sourceId={group.sourceId} />
              </Group>
            )
          )
        }
      />
      {!isCustom && (
        <Alert variant="light" color="gray" icon={<IconInfoCircle aria-hidden />} mb="md">
          {common('scopeHelp')}
        </Alert>
      )}
      <GroupMembers group={group} mayWrite={mayWrite} />
      <GroupDialog opened={editing} group={saved} close={close} />
    </>
  );
}

function useGroup(groupId: string) {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.groups.one(groupId),
    queryFn: ({ signal }) => versionOf(gatehouse.accessGroups.get(groupId, { signal })),
  });
}

const paths = new Intl.ListFormat(locale, { type: 'conjunction' });

/** The rules that name a group. Empty if the operator may not read them, or if they cannot be loaded. */
function useRulesWith(): (groupId: string) => Promise<AccessRule[]> {
  const gatehouse = useGatehouse();
  const mayRead = useMay('site:read');
  return async (groupId) => {
    if (!mayRead) return [];
    const { rules } = await gatehouse.accessRules.get().catch(() => ({ rules: [] }));
    return rules.filter((rule) => groupIdsOf(rule).includes(groupId));
  };
}

function groupIdsOf(rule: AccessRule): readonly string[] {
  if (rule.access === 'conditional') return rule.anyOf.flatMap(({ groupIds = [] }) => groupIds);
  return rule.access === 'groups' ? rule.groupIds : [];
}

function useRemoval({ id, name, memberCount }: AccessGroup): () => Promise<void> {
  const t = useTexts('groups');
  const site = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const rulesWith = useRulesWith();
  const change = useUndoable();
  return async () => {
    const rules = await rulesWith(id);
    const done = await change({
      question: {
        title: t('deleteTitle', { name }),
        children: (
          <Stack gap="xs">
            <span>{memberCount === 0 ? t('deleteEmpty') : t('deleteText', { count: memberCount })}</span>
            {rules.length > 0 && (
              <span>
                {t('deleteUsed', {
                  count: rules.length,
                  paths: paths.format(new Set(rules.map(({ path }) => path))),
                })}
              </span>
            )}
          </Stack>
        ),
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

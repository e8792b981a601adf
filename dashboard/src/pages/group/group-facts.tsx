import type { AccessGroup } from '@gatehouse/client';
import { Group } from '@mantine/core';
import { CopyId } from '../../components/layout/copy-id.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { ScopeBadge } from '../../components/sources/scope-badge.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useOpenedPaths } from '../../queries/access/group-uses.ts';

/** More paths are counted. */
const maxPaths = 4;

/** What there is to know about a group: how many members it has, what it opens, its id, and who manages it. */
export function GroupFacts({ group }: { group: AccessGroup }) {
  const t = useTexts('groups');
  const common = useTexts('common');
  return (
    <>
      <Group gap="md" mb="md">
        <Hint>{t('count', { count: group.memberCount })}</Hint>
        <OpenedPaths groupId={group.id} />
        <CopyId id={group.id} label={t('groupId')} />
        {group.type === 'scope' && <ScopeBadge sourceId={group.sourceId} />}
      </Group>
      {group.type === 'scope' && <Hint mb="md">{common('scopeHelp')}</Hint>}
    </>
  );
}

function OpenedPaths({ groupId }: { groupId: string }) {
  const t = useTexts('groups');
  const paths = useOpenedPaths()?.(groupId);
  if (!paths) return null;
  if (paths.length === 0) return <Hint>{t('opensNothing')}</Hint>;
  const more = paths.length > maxPaths ? ` +${paths.length - maxPaths}` : '';
  const link = (
    <LinkText from="/$site" to="/$site/rules" size="sm" title={paths.join(', ')}>
      {paths.slice(0, maxPaths).join(', ')}
      {more}
    </LinkText>
  );
  return (
    <Hint maw="100%" truncate>
      {t.rich('opens', { paths: link })}
    </Hint>
  );
}

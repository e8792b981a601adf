import type { Source } from '@gatehouse/client';
import { isConnected, isList } from '@gatehouse/contract/source-types';
import { Text } from '@mantine/core';
import { LinkButton } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { SourceGroups } from '../../components/sources/source-groups.tsx';
import { hasCollections } from '../../components/sources/source-state.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';

/** The groups of the source, and what they are made of. */
export function GroupsSection({ source }: { source: Source }) {
  const t = useTexts('sources');
  const mayChoose = useMay('sources:write') && isConnected(source.type) && hasCollections(source);
  const missing = source.collections.filter(({ groupId, missingSince }) => missingSince && !groupId);
  return (
    <Section
      title={t('groups')}
      description={t('groupsText')}
      action={
        mayChoose && (
          <LinkButton
            variant="default"
            size="xs"
            from="/$site"
            to="/$site/sources/set-up"
            search={{ source: source.id, step: isList(source.type) ? 'columns' : 'collections' }}
          >
            {t(isList(source.type) ? 'changeColumns' : 'changeCollections')}
          </LinkButton>
        )
      }
    >
      <SourceGroups source={source} />
      {missing.map(({ key, name }) => (
        <Text key={key} size="sm" c="var(--mantine-color-error)">
          {t('missingCollection', { name })}
        </Text>
      ))}
    </Section>
  );
}

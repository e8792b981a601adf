import type { Source } from '@gatehouse/client';
import { isConnected, isList } from '@gatehouse/contract/source-types';
import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '../../components/layout/section.tsx';
import { SourceGroups } from '../../components/sources/source-groups.tsx';
import { hasCollections } from '../../components/sources/source-state.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay, useSite } from '../../session/site.ts';

/** The groups of the source, and what they are made of. */
export function GroupsSection({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { slug } = useSite();
  const mayChoose = useMay('sources:write') && isConnected(source.type) && hasCollections(source);
  const missing = source.collections.filter(({ groupId, missingSince }) => missingSince && !groupId);
  return (
    <Section
      title={t('groupsOfSource')}
      description={t('groupsText')}
      action={
        mayChoose && (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => (
              <Link
                to="/$site/sources/set-up"
                params={{ site: slug }}
                search={{ source: source.id, step: isList(source.type) ? 'columns' : 'collections' }}
                {...props}
              />
            )}
          >
            {t(isList(source.type) ? 'changeColumns' : 'changeCollections')}
          </Button>
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

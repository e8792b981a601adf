import { Anchor, Group, List, Stack } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { factsOfType, type ProviderType } from './provider-types.ts';

/** What to do at a provider, in short steps. */
export function RegistrationSteps({ type }: { type: ProviderType }) {
  const t = useTexts('login');
  const { registration, guide, servers = [] } = factsOfType(type);
  const link = registration && (
    <Anchor inherit href={`https://${registration}`} target="_blank" rel="noreferrer" underline="always">
      {registration}
    </Anchor>
  );
  return (
    <Stack gap="xs">
      <List size="sm" spacing={6} type="ordered">
        {([1, 2, 3] as const).map((number) => (
          <List.Item key={number}>{t.rich(`step.${type}.${number}`, { link })}</List.Item>
        ))}
      </List>
      <Group gap="0.25rem 1rem">
        {servers.map((server) => (
          <GuideLink key={server.name} page={server.guide}>
            {t('guideFor', { server: server.name })}
          </GuideLink>
        ))}
        <GuideLink page={guide}>{t(servers.length > 0 ? 'guideAny' : 'guide')}</GuideLink>
      </Group>
    </Stack>
  );
}

function GuideLink({ page, children }: { page: string; children: string }) {
  return (
    <Anchor size="sm" href={`/help/${page}`} target="_blank" underline="always">
      {children}
    </Anchor>
  );
}

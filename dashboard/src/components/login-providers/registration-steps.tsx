import { Anchor, List, Stack } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { factsOfType, type ProviderType } from './provider-types.ts';

/** What to do at a provider, in short steps. */
export function RegistrationSteps({ type }: { type: ProviderType }) {
  const t = useTexts('login');
  const { registration, guide } = factsOfType(type);
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
      <Anchor size="sm" href={`/help/${guide}`} target="_blank" underline="always">
        {t('guide')}
      </Anchor>
    </Stack>
  );
}

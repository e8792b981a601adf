import { List, Stack, Text } from '@mantine/core';
import { useErrorText } from '../../../format/error-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { Outcome } from './bulk-action.ts';

/** Beside the result: the failures and their reasons. */
export function OutcomeNote({ outcome: { unchanged, failures, stopped } }: { outcome: Outcome }) {
  const t = useTexts('members');
  return (
    <Stack gap={4}>
      {unchanged > 0 && <Text size="xs">{t('unchanged', { count: unchanged })}</Text>}
      {stopped && <Text size="xs">{t('stopped')}</Text>}
      <FailureList failures={failures} />
    </Stack>
  );
}

/** The reasons of failures, with the number of members. */
export function FailureList({ failures }: Pick<Outcome, 'failures'>) {
  const t = useTexts('members');
  const errorText = useErrorText();
  if (failures.size === 0) return null;
  return (
    <List size="xs">
      {[...failures.values()].map(({ code, message, count }) => (
        <List.Item key={code}>{t('failed', { count, message: errorText({ code, message }) })}</List.Item>
      ))}
    </List>
  );
}

import { List, Stack, Text } from '@mantine/core';
import { useErrorText } from '../../../format/error-text.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { Outcome } from './bulk-action.ts';

/** Beside the result: the failures and their reasons. */
export function OutcomeNote({ outcome: { unchanged, failures, stopped } }: { outcome: Outcome }) {
  const t = useTexts('members');
  const errorText = useErrorText();
  return (
    <Stack gap={4}>
      {unchanged > 0 && <Text size="xs">{t('unchanged', { count: unchanged })}</Text>}
      {stopped && <Text size="xs">{t('stopped')}</Text>}
      {failures.size > 0 && (
        <List size="xs">
          {[...failures.values()].map(({ code, message, count }) => (
            <List.Item key={code}>{t('failed', { count, message: errorText({ code, message }) })}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

import { Group, Text } from '@mantine/core';
import { KeyHint } from '../../components/keyboard/key-hint.tsx';
import { useShortcutsOn } from '../../hooks/shortcuts/shortcut-setting.ts';
import { useTexts } from '../../languages/texts.tsx';

/** The keys with which requests are decided. */
export function KeyHints({ mayApprove }: { mayApprove: boolean }) {
  const t = useTexts('joinRequests');
  const isOn = useShortcutsOn();
  const hints = [
    ['j k', t('key.move')],
    ['x', t('key.select')],
    ...(mayApprove ? [['a', t('approve')]] : []),
    ['d', t('decline')],
  ] as const;
  if (!isOn) return null;
  return (
    <Group gap="md" visibleFrom="sm">
      {hints.map(([keys, text]) => (
        <Text key={keys} size="xs" c="dimmed">
          <KeyHint keys={keys} /> {text}
        </Text>
      ))}
    </Group>
  );
}

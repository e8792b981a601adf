import type { PageCode } from '@gatehouse/client';
import { CopyButton, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconCopy, IconEye, IconEyeOff } from '../../../components/icons/icons.ts';
import { IconAction } from '../../../components/layout/icon-action.tsx';
import { useTexts } from '../../../languages/texts.tsx';

const dots = '••••••••';

/** A code, hidden until it is to be shown: others may see the screen. */
export function CodeText({ code: { code, label, type } }: { code: PageCode }) {
  const t = useTexts('codes');
  const [isShown, { toggle }] = useDisclosure();
  if (code === null) {
    const name = type === 'chosen' ? 'own' : 'hidden';
    return (
      <Text component="span" size="sm" c="dimmed" title={t(`${name}Help`)}>
        {t(name)}
      </Text>
    );
  }
  const show = t(isShown ? 'hide' : 'show', { label });
  return (
    <Group gap={2} wrap="nowrap">
      <Text component="span" size="sm" ff="monospace">
        {isShown ? code : dots}
      </Text>
      <IconAction icon={isShown ? IconEyeOff : IconEye} label={show} title={show} onClick={toggle} />
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <IconAction
            icon={copied ? IconCheck : IconCopy}
            label={t(copied ? 'copied' : 'copy', { label })}
            title={t('copy', { label })}
            onClick={copy}
          />
        )}
      </CopyButton>
    </Group>
  );
}

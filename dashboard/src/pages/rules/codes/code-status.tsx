import type { PageCode } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../../languages/texts.tsx';

const colors: Readonly<Record<string, string>> = {
  active: 'teal',
  paused: 'yellow',
  used_up: 'gray',
  expired: 'gray',
};

/** Whether a code can be entered, as a colored dot with a word. */
export function CodeStatus({ status }: Pick<PageCode, 'status'>) {
  const t = useTexts('codes');
  const [name, help] = [`status.${status}`, `statusHelp.${status}`];
  return (
    <Badge variant="dot" color={colors[status] ?? 'gray'} tt="none" title={t.has(help) ? t(help) : undefined}>
      {t.has(name) ? t(name) : status}
    </Badge>
  );
}

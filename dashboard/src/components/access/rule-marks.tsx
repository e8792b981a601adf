import type { AccessRule } from '@gatehouse/client';
import { Badge } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import type { Icon } from '../icons/icon.tsx';
import { IconLink, IconPlug, IconRoute } from '../icons/icons.ts';

const marks: readonly (readonly ['acceptsTokenInUrl' | 'programPaths' | 'preflights', Icon])[] = [
  ['acceptsTokenInUrl', IconLink],
  ['programPaths', IconRoute],
  ['preflights', IconPlug],
];

/** What a rule also allows, beside who has access. Most rules have no mark. */
export function RuleMarks({ rule }: { rule: AccessRule }) {
  const t = useTexts('access');
  return marks
    .filter(([name]) => rule[name])
    .map(([name, Icon]) => (
      <Badge
        key={name}
        variant="default"
        tt="none"
        fw={400}
        radius="sm"
        leftSection={<Icon size={13} aria-hidden />}
      >
        {t(`mark.${name}`)}
      </Badge>
    ));
}

import type { PageCode } from '@gatehouse/client';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDots,
  IconPencil,
  IconPrinter,
  IconRefresh,
  IconTrash,
} from '../../../components/icons/icons.ts';
import { useMenuTarget } from '../../../hooks/use-menu-target.ts';
import { useUndoable } from '../../../hooks/use-undoable.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedRules } from '../../../queries/access/access-rules.ts';
import { useSiteApi } from '../../../queries/site-api.ts';
import type { CodeStep } from './code-dialog.tsx';
import { pathsIn, rulesWithCode } from './rules-with-code.ts';

interface CodeActionsProps {
  code: PageCode;
  open: (step: CodeStep) => void;
}

/** What operators do with a page code. */
export function CodeActions({ code, open }: CodeActionsProps) {
  const t = useTexts('codes');
  const menu = useMenuTarget();
  const revoke = useRevocation(code);
  const { code: text, label } = code;
  const steps = [
    ...(text === null ? [] : ([[IconPrinter, 'large', { name: 'large', code, text }]] as const)),
    [IconPencil, 'edit', { name: 'edit', code }],
    [IconRefresh, 'replace', { name: 'replace', code }],
  ] as const;
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsFor', { label })} ref={menu.target}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {steps.map(([Icon, name, step]) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={menu.act(() => open(step))}
          >
            {t(name)}
          </Menu.Item>
        ))}
        <Menu.Item
          leftSection={<IconTrash size={16} aria-hidden />}
          color="red"
          onClick={menu.act(() => void revoke())}
        >
          {t('revoke')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useRevocation({ id, label }: PageCode): () => Promise<void> {
  const t = useTexts('codes');
  const { gatehouse, keys } = useSiteApi();
  const rules = useSavedRules().data?.data ?? [];
  const change = useUndoable();
  return async () => {
    const used = rulesWithCode(rules, id);
    const consequences = [
      t('revokeText'),
      ...(used.length > 0 ? [t('revokeRules', { count: used.length, paths: pathsIn(used) })] : []),
    ];
    await change({
      question: {
        title: t('revokeTitle', { label }),
        children: consequences.join(' '),
        confirm: t('revokeIt'),
      },
      done: t('revoked', { label }),
      send: () => gatehouse.pageCodes.delete(id),
      optimistic: [
        {
          queryKey: keys.pageCodes,
          replace: (codes: PageCode[]) => codes.filter((each) => each.id !== id),
        },
      ],
      invalidates: [keys.pageCodes, keys.rules.decisions],
    });
  };
}

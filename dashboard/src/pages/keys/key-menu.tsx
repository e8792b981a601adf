import type { ApiKey } from '@gatehouse/client';
import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { IconActivity, IconCopy, IconRefresh, IconTrash } from '../../components/icons/icons.ts';
import { type RowAction, RowMenu } from '../../components/tables/row-menu.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMay } from '../../session/site.ts';
import { isUsable, type KeyState } from './key-state.ts';

interface KeyMenuProps {
  apiKey: ApiKey;
  state: KeyState;
  rotate: () => void;
  revoke: () => void;
}

/** What operators do with a key. */
export function KeyMenu({ apiKey: { id, name }, state, rotate, revoke }: KeyMenuProps) {
  const t = useTexts('keys');
  const navigate = useNavigate({ from: '/$site/keys' });
  const mayWrite = useMay('api-keys:write');
  const mayFollow = useMay('events:read');
  const common = useTexts('common');
  const { copy } = useClipboard();
  function copyId(): void {
    copy(id);
    notifications.show({ message: common('copied') });
  }
  const follow = () => void navigate({ to: '/$site/events', search: { actorId: id } });
  const actions: (RowAction | false)[] = [
    mayFollow && { icon: IconActivity, text: t('events'), act: follow },
    { icon: IconCopy, text: common('copyThis', { what: 'ID' }), act: copyId },
    mayWrite && state === 'in_force' && { icon: IconRefresh, text: t('rotate'), act: rotate },
    mayWrite && isUsable(state) && { icon: IconTrash, text: t('revoke'), act: revoke, isDanger: true },
  ];
  return <RowMenu label={t('actionsFor', { name })} actions={actions.filter((action) => action !== false)} />;
}

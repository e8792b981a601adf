import type { LoginProvider } from '@gatehouse/client';
import { useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import { useSite } from '../../session/site.ts';

/** Deletes a provider, after a question that says how many members use it. */
export function DeleteButton({ provider: { id, name, memberCount } }: { provider: LoginProvider }) {
  const t = useTexts('login');
  const { slug } = useSite();
  const { gatehouse, keys, client } = useSiteApi();
  const navigate = useNavigate();
  const change = useUndoable();

  async function remove(): Promise<void> {
    const isDone = await change({
      question: {
        title: t('deleteTitle', { name }),
        children: t(memberCount === 0 ? 'deleteUnused' : 'deleteText', { count: memberCount }),
        confirm: t('deleteIt'),
      },
      done: t('deleted', { name }),
      send: () => gatehouse.loginProviders.delete(id),
      invalidates: [keys.loginProviders.list, keys.loginMethods, keys.members.all, keys.events.all],
    });
    if (!isDone) return;
    await navigate({ to: '/$site/settings/login', params: { site: slug } });
    client.removeQueries({ queryKey: keys.loginProviders.one(id) });
    client.removeQueries({ queryKey: keys.loginProviders.test(id) });
  }

  return <ActionButton label={t('deleteIt')} size="xs" onClick={remove} />;
}

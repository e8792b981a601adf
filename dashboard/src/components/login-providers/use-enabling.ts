import type { LoginProvider } from '@gatehouse/client';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteApi } from '../../queries/site-api.ts';
import type { Version } from '../../queries/version.ts';
import { type LastTest, useSaveLoginProvider } from '../../queries/ways-in/login-providers.ts';

/** Offers a provider on the login page or no longer. It asks first if members use it, or if its last test has failed. */
export function useEnabling({
  id,
  name,
  memberCount,
}: LoginProvider): (enabled: boolean) => Promise<boolean> {
  const t = useTexts('login');
  const { keys, client } = useSiteApi();
  const save = useSaveLoginProvider();
  const change = useUndoable();
  return (enabled) => {
    const found = client.getQueryData<LastTest>(keys.loginProviders.test(id));
    const turnOff = {
      title: t('turnOffTitle', { name }),
      children: t('turnOffText', { count: memberCount }),
      confirm: t('turnOff'),
    };
    const turnOn = {
      title: t('turnOnTitle', { name }),
      children: t('turnOnText', { name }),
      confirm: t('turnOn'),
      danger: false,
    };
    return change({
      ...(!enabled && memberCount > 0 && { question: turnOff }),
      ...(enabled && found?.ok === false && !found.isOutdated && { question: turnOn }),
      done: t(enabled ? 'turnedOn' : 'turnedOff', { name }),
      send: () => save(id, { enabled }),
      optimistic: [
        {
          queryKey: keys.loginProviders.one(id),
          replace: (saved: Version<LoginProvider>) => ({ ...saved, data: { ...saved.data, enabled } }),
        },
        {
          queryKey: keys.loginProviders.list,
          replace: (all: LoginProvider[]) =>
            all.map((each) => (each.id === id ? { ...each, enabled } : each)),
        },
      ],
      // `save` has done it.
      invalidates: [],
    });
  };
}

import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../languages/texts.tsx';
import { useConfirm } from './confirm.tsx';

/** Asks before somebody leaves what is not saved; the browser itself asks when the window is closed. */
export function useUnsavedWarning(unsaved: boolean): void {
  const t = useTexts('parts');
  const confirm = useConfirm();
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      const leave = await confirm({ title: t('leaveTitle'), children: t('leaveText'), confirm: t('leave') });
      return !leave;
    },
  });
}

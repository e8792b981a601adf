import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../languages/texts.tsx';
import { useConfirm } from './use-confirm.tsx';

/** Asks for confirmation before leaving unsaved changes. When the window is closed, the browser asks. */
export function useUnsavedWarning(unsaved: boolean): void {
  const t = useTexts('common');
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

import { useTexts } from '../languages/texts.tsx';
import { useConfirm } from './use-confirm.tsx';

/** Asks whether to load a version that another operator has saved, which discards the local changes. */
export function useConflictQuestion(): (title: string) => Promise<boolean> {
  const t = useTexts('common');
  const confirm = useConfirm();
  return (title) => confirm({ title, children: t('staleText'), confirm: t('staleReload') });
}

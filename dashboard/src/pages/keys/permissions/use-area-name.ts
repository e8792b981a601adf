import { useTexts } from '../../../languages/texts.tsx';
import type { AreaName } from './areas.ts';

/** Names an area as the navigation does. */
export function useAreaName(): (name: AreaName) => string {
  const t = useTexts('keys');
  const shell = useTexts('shell');
  return (name) => (name === 'logins' ? t('logins') : shell(name));
}

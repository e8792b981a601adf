import type { Source } from '@gatehouse/client';
import type { SourceType } from '@gatehouse/contract/source-types';
import type { Icon } from '../icons/icon.tsx';
import { IconBrandNotion, IconCode, IconPlugConnected, IconTable } from '../icons/icons.ts';

export const typeIcons: Readonly<Record<SourceType, Icon>> = {
  notion: IconBrandNotion,
  list: IconTable,
  program: IconCode,
};

/** The icon of a type of source; a general one for types of a newer server. */
export function typeIcon({ type }: Pick<Source, 'type'>): Icon {
  return typeIcons[type] ?? IconPlugConnected;
}

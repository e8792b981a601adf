import type { Source } from '@gatehouse/client';
import type { Icon } from '../icons/icon.tsx';
import { IconBrandNotion, IconCode, IconPlugConnected, IconTable } from '../icons/icons.ts';

export const kindIcons: Readonly<Record<string, Icon>> = {
  notion: IconBrandNotion,
  list: IconTable,
  program: IconCode,
};

/** The icon of a kind of source; a general one for kinds of a newer server. */
export function kindIcon({ kind }: Pick<Source, 'kind'>): Icon {
  return kindIcons[kind] ?? IconPlugConnected;
}

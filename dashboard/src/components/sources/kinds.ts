import type { Source } from '@gatehouse/client';
import { type Icon, IconBrandNotion, IconCode, IconPlugConnected, IconTable } from '@tabler/icons-react';

export const kindIcons: Readonly<Record<string, Icon>> = {
  notion: IconBrandNotion,
  list: IconTable,
  program: IconCode,
};

/** The icon of a kind of source; a general one for kinds of a newer server. */
export function kindIcon({ kind }: Pick<Source, 'kind'>): Icon {
  return kindIcons[kind] ?? IconPlugConnected;
}

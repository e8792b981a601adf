import type { Icon } from '../../components/icons/icon.tsx';

/** A search result. */
export interface SearchEntry {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** Other words that find this entry. */
  readonly keywords?: string | undefined;
  readonly icon: Icon;
  readonly run: () => void;
}

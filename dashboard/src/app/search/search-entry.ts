import type { Icon } from '../../components/icons/icon.tsx';

/** A search result. */
export interface SearchEntry {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** Other words that find this entry. */
  readonly keywords?: string | undefined;
  readonly icon: Icon;
  /** Its shortcut. */
  readonly keys?: string;
  readonly run: () => void;
  /** What is typed instead of running it, for commands that need a name. */
  readonly begins?: string;
}

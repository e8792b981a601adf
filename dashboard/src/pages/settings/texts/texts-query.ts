import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useSiteApi } from '../../../queries/site-api.ts';
import { isConflict, versionOf } from '../../../queries/version.ts';
import { haveChanged } from './texts-values.ts';

/** The texts of the site in its emails, in each language of Gatehouse. */
export function useEmailTexts() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.emailTexts,
    queryFn: ({ signal }) => gatehouse.emailTexts.list({ signal }),
  });
}

interface TextsSave {
  /** What the changes were made to. */
  base: readonly EmailTexts[];
  changed: readonly [language: string, texts: ReplaceEmailTexts][];
  /** Called before a language is saved. */
  begin: (language: string) => void;
  /** Called with what has been saved, which stays so if the next language cannot be saved. */
  accept: (saved: EmailTexts) => void;
}

/**
 * Saves languages one after the other, and updates what is cached of them. Returns false if somebody else has changed the
 * texts of one of them since.
 */
export function useSaveTexts(): (save: TextsSave) => Promise<boolean> {
  const { gatehouse, keys, client } = useSiteApi();

  async function replace(language: string, texts: ReplaceEmailTexts, ifMatch: string | undefined) {
    const saved = await gatehouse.emailTexts.replace(language, texts, { ifMatch });
    client.setQueryData<EmailTexts[]>(keys.emailTexts, (known) =>
      known?.map((each) => (each.language === language ? saved : each)),
    );
    return saved;
  }

  return async ({ base, changed, begin, accept }) => {
    const versions = await Promise.all(
      changed.map(([language]) => versionOf(gatehouse.emailTexts.get(language))),
    );
    const now = versions.map(({ data }) => data);
    if (haveChanged(base, now)) return false;
    try {
      for (const [index, [language, texts]] of changed.entries()) {
        begin(language);
        accept(await replace(language, texts, versions[index]!.etag));
      }
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  };
}

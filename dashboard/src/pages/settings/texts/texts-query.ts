import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useSiteApi } from '../../../queries/site-api.ts';
import { isConflict, versionOf } from '../../../queries/version.ts';
import { areSaved, haveChanged, withTexts } from './texts-values.ts';

/** The texts of the site in its emails, in each language of Gatehouse. */
export function useEmailTexts() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.emailTexts,
    queryFn: ({ signal }) => gatehouse.emailTexts.list({ signal }),
  });
}

/** Loads and saves the texts of one language at a time, and updates what is cached of them. */
export function useOneLanguage() {
  const { gatehouse, keys, client } = useSiteApi();
  const queryKey = keys.emailTexts;

  async function cache(texts: EmailTexts): Promise<EmailTexts> {
    // A list that is being loaded can be older.
    await client.cancelQueries({ queryKey });
    client.setQueryData<EmailTexts[]>(queryKey, (known) => known && withTexts(known, texts));
    return texts;
  }

  async function load(language: string): Promise<EmailTexts> {
    return cache(await gatehouse.emailTexts.get(language));
  }

  /** Saves the texts of a language. Returns undefined if somebody else has changed them since `base`. */
  async function save(base: EmailTexts, texts: ReplaceEmailTexts): Promise<EmailTexts | undefined> {
    const { language } = base;
    const { data, etag } = await versionOf(gatehouse.emailTexts.get(language));
    try {
      if (!haveChanged([base], [data]))
        return await cache(await gatehouse.emailTexts.replace(language, texts, { ifMatch: etag }));
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    // The response to an earlier attempt may have been lost.
    const now = await load(language);
    return areSaved(texts, now) ? now : undefined;
  }

  return {
    load,
    save,
    /** Loads the list again. */
    refresh: () => client.invalidateQueries({ queryKey }),
    /** Whether a list is the cached one. Just after a change, an older one can still be shown. */
    isCached: (list: EmailTexts[]) => list === client.getQueryData(queryKey),
  };
}

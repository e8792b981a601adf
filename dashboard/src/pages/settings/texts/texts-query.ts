import type { EmailTexts, ReplaceEmailTexts } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { useSiteApi } from '../../../queries/site-api.ts';

/** The texts of the site in its emails, in each language of Gatehouse. */
export function useEmailTexts() {
  const { gatehouse, keys } = useSiteApi();
  return useQuery({
    queryKey: keys.emailTexts,
    queryFn: ({ signal }) => gatehouse.emailTexts.list({ signal }),
  });
}

/** Replaces the texts of one language, and updates what is cached of them. */
export function useReplaceEmailTexts(): (language: string, texts: ReplaceEmailTexts) => Promise<void> {
  const { gatehouse, keys, client } = useSiteApi();
  return async (language, texts) => {
    const saved = await gatehouse.emailTexts.replace(language, texts);
    client.setQueryData<EmailTexts[]>(keys.emailTexts, (known) =>
      known?.map((each) => (each.language === language ? saved : each)),
    );
  };
}
